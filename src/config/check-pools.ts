import { resolveAlias } from "../address/aliases.ts";
import { quote } from "../address/spec-fault.ts";
import { parseSpec } from "../address/spec.ts";
import type { Spec } from "../address/target.ts";
import { readWireModel } from "../address/wire-model.ts";
import { providerType } from "../catalog/provider-types.ts";
import { nearestNames } from "../lib/nearest.ts";
import { credentialMessage, TYPE_IDS } from "./check-providers.ts";
import type { CheckInput, Findings } from "./check.ts";
import { type Finding, listNames, type Path } from "./problem.ts";

type Words = Omit<Finding, "path">;

/** Pools, and what refers to them: `routing.default_pool` and the aliases. */
export function checkPools(input: CheckInput): Findings {
  const members = Object.entries(input.config.pools).flatMap(([name, pool]) =>
    pool.targets.map((text, index) =>
      checkMember(["pools", name, "targets", String(index)], text, input),
    ),
  );
  const { default_pool } = input.config.routing;
  return {
    problems: [
      ...members.flatMap(({ problems }) => problems),
      ...at(["routing", "default_pool"], unknownPool(default_pool, input)),
      ...Object.entries(input.config.aliases).flatMap(([name, meaning]) =>
        at(["aliases", name], aliasProblem(name, meaning, input)),
      ),
    ],
    warnings: members.flatMap(({ warnings }) => warnings),
  };
}

function at(path: Path, words: Words | undefined): Finding[] {
  return words === undefined ? [] : [{ path, ...words }];
}

function checkMember(path: Path, text: string, input: CheckInput): Findings {
  const parsed = parseSpec(text);
  if (!parsed.ok) return { problems: [{ path, message: parsed.message }], warnings: [] };
  const unknown = unknownHead(parsed.spec, input);
  if (unknown !== undefined) return { problems: [{ path, ...unknown }], warnings: [] };
  return { problems: [], warnings: at(path, unusable(parsed.spec, input)) };
}

/** Instances that config or catalogue may provide: their own names, and those of the types. */
function instanceNames({ config }: CheckInput): readonly string[] {
  return Object.keys(config.providers).map((name) => name.toLowerCase());
}

/** A head that is neither an instance nor a type, or a label that is no instance. */
function unknownHead({ provider, instance }: Spec, input: CheckInput): Words | undefined {
  const configured = instanceNames(input);
  const known = (name: string) =>
    configured.includes(name) || isStandalone(name) || input.isBroken(["providers", name]);
  if (instance !== null && !known(instance)) {
    const hint = suggestion(instance, configured) ?? "add a section for it under `[providers]`";
    return { message: `there is no instance \`${instance}\``, hint };
  }
  if (known(provider) || (instance !== null && providerType(provider) !== undefined)) {
    return undefined;
  }
  if (providerType(provider) !== undefined) {
    const hint = `name the instance instead, defined with \`type = "${provider}"\` and a \`base_url\``;
    return { message: `\`${provider}\` is a type without an address of its own`, hint };
  }
  const hint =
    suggestion(provider, [...configured, ...TYPE_IDS]) ??
    `add \`[providers.${provider}]\` with its \`base_url\``;
  return { message: `\`${provider}\` is neither an instance nor a provider type`, hint };
}

/** Whether a type can be used with no section at all. */
function isStandalone(name: string): boolean {
  return (providerType(name)?.base_url ?? null) !== null;
}

/** A member that names a type nobody configured works only once the environment has its credential. */
function unusable({ provider, instance }: Spec, input: CheckInput): Words | undefined {
  const name = instance ?? provider;
  const type = providerType(name);
  if (type === undefined || instanceNames(input).includes(name)) return undefined;
  if (input.config.routing.autoprovision === false && type.id !== "sim") {
    const hint = `add \`[providers.${name}]\``;
    return { message: `\`${name}\` has no section and \`routing.autoprovision\` is off`, hint };
  }
  const missing = credentialMessage(type, input.env);
  if (missing === undefined) return undefined;
  return { message: `\`${name}\` has ${missing.message}`, hint: missing.hint };
}

function suggestion(name: string, known: readonly string[]): string | undefined {
  const [near] = nearestNames(name, known, 1);
  return near === undefined ? undefined : `did you mean \`${near}\`?`;
}

/** Why a text is no pool's name; undefined for one that is, and for none. Also used for changes at run time. */
export function unknownPool(
  name: string | undefined,
  { config, isBroken }: Pick<CheckInput, "config" | "isBroken">,
): Words | undefined {
  if (name === undefined || Object.hasOwn(config.pools, name) || isBroken(["pools", name])) {
    return undefined;
  }
  const pools = Object.keys(config.pools);
  const existing = pools.length === 0 ? "no pool is defined" : `pools: ${listNames(pools)}`;
  return { message: `there is no pool ${quote(name)}`, hint: suggestion(name, pools) ?? existing };
}

/** An alias stands for anything a model string can say, and its name may end in one `*`. */
function aliasProblem(name: string, meaning: string, input: CheckInput): Words | undefined {
  if (name.trim() === "" || /\p{Cc}/u.test(name)) return { message: "an alias needs a name" };
  if (name.slice(0, -1).includes("*")) {
    return { message: "`*` may only stand at the end of an alias", hint: 'as in `"claude-*"`' };
  }
  const { aliases } = input.config;
  const resolution = resolveAlias(aliases, name, "exact");
  if (resolution.kind === "loop") {
    return { message: `aliases run in a circle: ${resolution.chain.map(quote).join(" → ")}` };
  }
  return Object.hasOwn(aliases, meaning) ? undefined : meaningProblem(meaning, input);
}

function meaningProblem(meaning: string, input: CheckInput): Words | undefined {
  const configured = instanceNames(input);
  const asked = readWireModel(
    meaning,
    (head) => configured.includes(head) || providerType(head) !== undefined,
  );
  switch (asked.kind) {
    case "auto":
    case "bare":
      return undefined;
    case "pool":
      return unknownPool(asked.name, input);
    case "lane":
    case "profile":
      return { message: `there is no ${asked.kind} ${quote(asked.name)}` };
    case "spec":
      return unknownHead(asked.spec, input);
    default:
      return { message: asked.message };
  }
}
