/** A parameter value of a spec string; only `stop` may be a list. */
export type ParamValue = string | number | boolean | null | readonly string[];
export type Params = Readonly<Record<string, ParamValue>>;

/** A parsed `provider:model?params#instance`. */
export interface Spec {
  /** Case-folded head: a provider type or the name of an instance. */
  readonly provider: string;
  /** Null asks for the default model of the instance. */
  readonly model: string | null;
  readonly params: Params;
  readonly instance: string | null;
}

/** What an attempt is sent to: the unit of health, cost and limits. */
export interface Target {
  readonly instance: string;
  readonly model: string;
  readonly params: Params;
}

/** Identity of a target: params are left out, so that two params sets share health. */
export type TargetKey = string;

export function targetKey(target: Pick<Target, "instance" | "model">): TargetKey {
  return known.get(target) ?? `${target.instance}:${target.model}`;
}

/** Keys of targets that live long: a plan asks for each of its members' keys several times. */
const known = new WeakMap<object, TargetKey>();

/** Works the key of a target out once, for as long as the object lives. */
export function rememberKey(target: Target): TargetKey {
  const key = targetKey(target);
  known.set(target, key);
  return key;
}
