import { resolveAlias } from "../address/aliases.ts";
import { quote } from "../address/spec-fault.ts";
import { parseSpec } from "../address/spec.ts";
import type { Spec } from "../address/target.ts";
import { readWireModel } from "../address/wire-model.ts";
import { providerType } from "../catalog/provider-types.ts";
import { likelyName } from "../lib/nearest.ts";
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
  const wrong = [
    unknownHead(parsed.spec, input),
    ...ROUTING_PARAMS.map((name) => amountProblem(name, parsed.spec)),
  ].filter((words) => words !== undefined);
  if (wrong.length > 0) {
    return { problems: wrong.flatMap((words) => at(path, words)), warnings: [] };
  }
  return { problems: [], warnings: at(path, unusable(parsed.spec, input)) };
}

/** Parameters that speak to the router. */
const ROUTING_PARAMS = ["order", "weight"] as const;

/** NaN, exponents and the like arrive here as text. */
function amountProblem(name: (typeof ROUTING_PARAMS)[number], { params }: Spec): Words | undefined {
  const value = params[name];
  if (value === undefined || (typeof value === "number" && value >= 0)) return undefined;
  const got = typeof value === "string" ? quote(value) : String(value);
  const hint = name === "weight" ? "0 keeps a member as a spare" : "lower orders are used up first";
  return { message: `\`${name}\` must be a number of at least 0, not ${got}`, hint };
}

/** Instances that the config describes, and those that a runtime may become. */
export function instanceNames({
  config: { providers, runtimes },
}: Pick<CheckInput, "config">): readonly string[] {
  return [...Object.keys(providers), ...runtimes.names].map((name) => name.toLowerCase());
}

/** A head that is neither an instance nor a type, or a label that is no instance. */
export function unknownHead({ provider, instance }: Spec, input: CheckInput): Words | undefined {
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

export function suggestion(name: string, known: readonly string[]): string | undefined {
  const near = likelyName(name, known);
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

type ProfileInput = Pick<CheckInput, "config" | "isBroken" | "storedProfiles">;

/** Why a text is no profile's name; undefined for one that is, for none, and where the store is not known. */
export function unknownProfile(name: string | undefined, input: ProfileInput): Words | undefined {
  const { config, isBroken, storedProfiles } = input;
  if (name === undefined || storedProfiles === undefined || storedProfiles.has(name)) {
    return undefined;
  }
  if (Object.hasOwn(config.profiles, name) || isBroken(["profiles", name])) return undefined;
  const known = [...new Set([...Object.keys(config.profiles), ...storedProfiles])];
  const existing = known.length === 0 ? "no profile is defined" : `profiles: ${listNames(known)}`;
  const hint = suggestion(name, known) ?? existing;
  return { message: `there is no profile ${quote(name)}`, hint };
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
    case "profile":
      return unknownProfile(asked.name, input);
    case "lane":
      return { message: `there is no lane ${quote(asked.name)}` };
    case "spec":
      return unknownHead(asked.spec, input);
    default:
      return { message: asked.message };
  }
}
