import { quote } from "../address/spec-fault.ts";
import { providerType } from "../catalog/provider-types.ts";
import { parseAllowEntry } from "../routing/allowlist.ts";
import { instanceNames, suggestion, unknownPool, unknownProfile } from "./check-pools.ts";
import { TYPE_IDS } from "./check-providers.ts";
import type { CheckInput, Findings } from "./check.ts";
import type { Finding, Path } from "./problem.ts";
import type { Profile } from "./schema-routing.ts";

type Words = Omit<Finding, "path">;

/** What a profile or an allowlist entry may refer to. */
export type References = Pick<CheckInput, "config" | "isBroken">;

/** Profiles, the allowlist, and which profile is the default. */
export function checkProfiles(input: CheckInput): Findings {
  const { profiles, allowlist, routing } = input.config;
  const { default_profile } = routing;
  return {
    problems: [
      ...Object.entries(profiles).flatMap(([name, profile]) =>
        profileFindings(profile, input).map(({ path, message, hint }) => ({
          path: ["profiles", name, ...path],
          message,
          hint,
        })),
      ),
      ...allowlist.targets.flatMap((text, index) =>
        at(["allowlist", "targets", String(index)], allowEntryProblem(text, input)),
      ),
      ...at(["routing", "default_profile"], unknownProfile(default_profile, input)),
    ],
    warnings: at(["routing", "default_profile"], unseenProfile(default_profile, input)),
  };
}

function at(path: Path, words: Words | undefined): Finding[] {
  return words === undefined ? [] : [{ path, ...words }];
}

/** Without the store nobody can tell whether a profile that is not in the file was made there. */
function unseenProfile(
  name: string | undefined,
  { config, storedProfiles }: CheckInput,
): Words | undefined {
  if (name === undefined || storedProfiles !== undefined) return undefined;
  if (Object.hasOwn(config.profiles, name)) return undefined;
  const message = `no profile ${quote(name)} is defined here; it must exist in the store`;
  return { message, hint: `add \`[profiles.${name}]\`, or make it through the admin API` };
}

/** What is wrong with a profile, by paths from itself. Also used for those made at run time. */
export function profileFindings(profile: Profile, input: References): readonly Finding[] {
  const { pool, params, allow } = profile;
  return [
    ...at(["pool"], unknownPool(pool, input)),
    ...Object.keys(params).flatMap((name) => at(["params", name], reservedParam(name))),
    ...(allow.providers ?? []).flatMap((name, index) =>
      at(["allow", "providers", String(index)], unknownProvider(name, input)),
    ),
  ];
}

/** What the router decides, and what would change whose answer it is. */
const OWN_PARAMS: ReadonlySet<string> = new Set(
  "model stream messages input prompt veriroute order weight".split(" "),
);

function reservedParam(name: string): Words | undefined {
  if (!OWN_PARAMS.has(name)) return undefined;
  const hint = name === "order" || name === "weight" ? "write it into a pool's target" : undefined;
  return { message: `a profile cannot set ${quote(name)}`, hint };
}

function unknownProvider(name: string, { config, isBroken }: References): Words | undefined {
  const known = instanceNames({ config });
  const folded = name.toLowerCase();
  const exists = known.includes(folded) || providerType(folded) !== undefined;
  if (exists || isBroken(["providers", name])) return undefined;
  const hint =
    suggestion(folded, [...known, ...TYPE_IDS]) ?? `add \`[providers.${name}]\`, or name another`;
  return { message: `${quote(name)} is neither an instance nor a provider type`, hint };
}

/** Why a text cannot stand on the allowlist; undefined if it can. Also used at run time. */
export function allowEntryProblem(text: string, input: References): Words | undefined {
  const entry = parseAllowEntry(text);
  if (!entry.ok) return { message: entry.message };
  return unknownProvider(entry.value.head, input);
}
