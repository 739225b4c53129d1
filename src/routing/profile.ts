import { quote } from "../address/spec-fault.ts";
import type { Params } from "../address/target.ts";
import { type Refusal, refuse } from "./destination.ts";
import { unknownName } from "./unknown-name.ts";
import type { RoutingWorld } from "./world.ts";

/** A bundle of preferences that a client, a key or the operator selects by name. */
export interface Profile {
  /** Request fields for where the client sets none; they beat those of a target's spec. */
  readonly params: Params;
  /** Where `auto` leads; null leaves that to the default pool. */
  readonly pool: string | null;
  readonly allow: {
    /** USD per million tokens, of input and of output; a target without known prices is out. */
    readonly max_price: number | null;
    /** Names of instances or provider types. */
    readonly providers: readonly string[] | null;
  };
  readonly verify: VerifyMode;
  /** Streams wait for their first characters, suspicion or not. */
  readonly hold_back: boolean;
}

/** What follows from a bad answer that no client has seen: another target answers, a record, or nothing. */
export type VerifyMode = "rescue" | "observe" | "off";

export interface NamedProfile extends Profile {
  readonly name: string;
  /** Who chose it, for the explanation. */
  readonly chosen_by: "request" | "key" | "default";
}

/** The profiles that may speak for a request, the one named by the request first. */
export interface ProfileNames {
  readonly block: string | undefined;
  /** Of the client's key. */
  readonly key: string | null;
}

/** The profile of a request whose model string names none; null if nobody named one at all. */
export function chooseProfile(
  { block, key }: ProfileNames,
  world: RoutingWorld,
): NamedProfile | Refusal | null {
  if (block !== undefined) return namedProfile(block, world, "veriroute.profile");
  const [name, chosen_by] =
    key === null ? [world.default_profile, "default" as const] : [key, "key" as const];
  if (name === null) return null;
  const profile = world.profiles.get(name);
  if (profile !== undefined) return { ...profile, name, chosen_by };
  // Going on without it would lift limits that somebody set on purpose.
  const whose = chosen_by === "key" ? "the key's profile" : "`routing.default_profile`";
  const message = `${whose} is ${quote(name)}, which does not exist; define it, or choose another`;
  return refuse("no_target_available", message, null);
}

/** The profile a request names itself. */
export function namedProfile(
  name: string,
  { profiles }: RoutingWorld,
  param: string,
): NamedProfile | Refusal {
  const profile = profiles.get(name);
  if (profile !== undefined) return { ...profile, name, chosen_by: "request" };
  return unknownName({ kind: "profile", name, known: [...profiles.keys()], param });
}

const CHOICES = {
  request: "as the request asks",
  key: "that of the client's key",
  default: "the default",
} as const;

/** `profile x, the default`, for the explanation. */
export function profileNote({ name, chosen_by }: NamedProfile): string {
  return `profile ${quote(name)}, ${CHOICES[chosen_by]}`;
}
