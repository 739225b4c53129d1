import { createHash, timingSafeEqual } from "node:crypto";

import { isLoopbackHost } from "../config/base-url.ts";
import type { Config } from "../config/schema.ts";
import { memoize } from "../lib/memoize.ts";
import type { KeyScope, StoredKey, StoredState } from "../store/store.ts";
import type { Refusal } from "./refusal.ts";

/** Who asks: `actor` is a key id, `config` or `anonymous`, as the audit log names it. */
export interface Caller {
  readonly scope: KeyScope;
  readonly actor: string;
  /** Id of the key that was made for the caller, null if it has none. */
  readonly key_id: string | null;
  /** Profile of the key, null if it has none. */
  readonly profile: string | null;
}

export type Identity =
  | { readonly kind: "caller"; readonly caller: Caller }
  | { readonly kind: "refused"; readonly refusal: Refusal };

export interface AuthDependencies {
  readonly server: () => Config["server"];
  readonly state: () => Pick<StoredState, "keys" | "keys_lost">;
}

export interface Authenticator {
  /** Who sent these headers, if that suffices for `scope`. */
  identify(headers: Headers, scope: KeyScope): Identity;
}

/** What is known of the key that came with these headers. */
export function keyOf(auth: Authenticator, headers: Headers) {
  const identity = auth.identify(headers, "client");
  if (identity.kind === "refused") return { key_id: null, key_profile: null };
  const { key_id, profile: key_profile } = identity.caller;
  return { key_id, key_profile };
}

interface KnownKey extends Caller {
  readonly digest: Buffer;
}

const LET_IN: Identity = {
  kind: "caller",
  caller: { scope: "admin", actor: "anonymous", key_id: null, profile: null },
};

const digestOf = (secret: string) => createHash("sha256").update(secret).digest();

export function createAuthenticator({ server, state }: AuthDependencies): Authenticator {
  // Both lists are replaced when they change, never changed.
  const configured = memoize(configuredKeys);
  const stored = memoize(storedKeys);
  const isOpen = memoize(needsNoKey);
  return {
    identify(headers, scope) {
      const { keys, keys_lost } = state();
      const [own, issued] = [configured(server()), stored(keys)];
      if (own.length + issued.length === 0) {
        if (keys_lost) return { kind: "refused", refusal: keysLost(scope) };
        if (isOpen(server())) return LET_IN;
      }
      return judge(presentedKeys(headers), [...own, ...issued], scope);
    },
  };
}

/** A key that is set but empty matches nothing, yet keeps the router closed: someone meant one. */
function configuredKeys({ client_key, admin_key }: Config["server"]): KnownKey[] {
  const configured = [
    { scope: "client" as const, secret: client_key },
    { scope: "admin" as const, secret: admin_key },
  ];
  return configured.flatMap(({ scope, secret = "" }) =>
    secret.trim() === ""
      ? []
      : [{ scope, actor: "config", key_id: null, profile: null, digest: digestOf(secret) }],
  );
}

function storedKeys(keys: readonly StoredKey[]): KnownKey[] {
  return keys
    .filter((key) => key.revoked_at === null)
    .map(({ id, scope, hash, profile }) => {
      return { scope, actor: id, key_id: id, profile, digest: Buffer.from(hash, "hex") };
    });
}

/** Where there is no key at all, whoever reaches a server of this machine only is let in. */
function needsNoKey({ client_key, admin_key, host }: Config["server"]): boolean {
  const hasEmptyKey = client_key?.trim() === "" || admin_key?.trim() === "";
  return !hasEmptyKey && isLoopbackHost(host);
}

/** Both forms may come at once: SDKs send every credential their environment has. */
function presentedKeys(headers: Headers): string[] {
  const [, bearer = ""] = /^bearer +(.+)$/i.exec(headers.get("authorization") ?? "") ?? [];
  return [bearer, headers.get("x-api-key") ?? ""].map((key) => key.trim()).filter(Boolean);
}

/** Compares with every known key, whatever matched before, so that time tells nothing. */
function matching(presented: string[], known: readonly KnownKey[]): KnownKey[] {
  const digests = presented.map(digestOf);
  return known.filter(({ digest }) =>
    digests
      .map((one) => one.length === digest.length && timingSafeEqual(one, digest))
      .some(Boolean),
  );
}

function judge(presented: string[], known: readonly KnownKey[], scope: KeyScope): Identity {
  const matched = matching(presented, known);
  const best = matched.find((key) => key.scope === "admin") ?? matched[0];
  if (!best) return { kind: "refused", refusal: invalidKey(presented.length > 0, scope) };
  if (scope === "admin" && best.scope !== "admin") {
    return { kind: "refused", refusal: adminKeyRequired("This route") };
  }
  const { actor, key_id, profile } = best;
  return { kind: "caller", caller: { scope: best.scope, actor, key_id, profile } };
}

/** Whoever had to have a key before must not get in without one now. */
function keysLost(scope: KeyScope): Refusal {
  const message =
    "The keys of this router were lost with its database, which was damaged or removed, so nobody is let in. " +
    `On its machine, \`veriroute keys create --scope ${scope}\` makes a new one; revoking that one ` +
    "opens the router again, if it listens on loopback only.";
  return { code: "invalid_api_key", message, headers: CHALLENGE };
}

const CHALLENGE = { "www-authenticate": 'Bearer realm="veriroute"' };

function invalidKey(sent: boolean, scope: KeyScope): Refusal {
  const problem = sent
    ? "The API key sent is not one of this router's keys, or it was revoked."
    : "This router wants an API key: send `Authorization: Bearer <key>` or `x-api-key: <key>`.";
  return {
    code: "invalid_api_key",
    message: `${problem} \`veriroute keys create --scope ${scope}\` makes one.`,
    headers: CHALLENGE,
  };
}

export function adminKeyRequired(what: string): Refusal {
  return {
    code: "admin_key_required",
    message:
      `${what} needs a key of scope \`admin\`; the one sent has scope \`client\`. ` +
      "`veriroute keys create --scope admin` makes one.",
  };
}
