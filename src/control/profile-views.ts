import type { Config } from "../config/schema.ts";
import type { StoredKey } from "../store/store.ts";
import type { Origin, WrittenProfile } from "./preferences.ts";

/** Why a profile cannot be deleted, and what would change that. */
export interface DeletionObstacle {
  readonly code: "defined_in_file" | "invalid_value";
  readonly message: string;
}

/** A profile as people see it. */
export interface ProfileView {
  readonly name: string;
  readonly source: Origin;
  readonly is_default: boolean;
  readonly obstacle: DeletionObstacle | null;
  readonly pool: string | null;
  readonly params: WrittenProfile["written"]["params"];
  readonly allow: { readonly max_price: number | null; readonly providers: string[] | null };
  readonly verify: WrittenProfile["written"]["verify"];
  readonly hold_back: boolean;
}

interface ViewParts {
  readonly written: readonly WrittenProfile[];
  readonly config: Config;
  readonly keys: readonly Pick<StoredKey, "name" | "profile" | "revoked_at">[];
}

/** Every profile with what stands in the way of its deletion, so that nobody has to try. */
export function profileViews(parts: ViewParts): readonly ProfileView[] {
  const { default_profile } = parts.config.routing;
  return parts.written.map((profile) => {
    const { name, origin, written } = profile;
    const { max_price = null, providers = null } = written.allow;
    return {
      name,
      source: origin,
      is_default: name === default_profile,
      obstacle: obstacleOf(profile, parts),
      pool: written.pool ?? null,
      params: written.params,
      allow: { max_price, providers },
      verify: written.verify,
      hold_back: written.hold_back,
    };
  });
}

function obstacleOf(
  { name, origin }: WrittenProfile,
  { config, keys }: ViewParts,
): DeletionObstacle | null {
  if (origin === "file") {
    const message = `Profile \`${name}\` is defined in the config file: remove it there and reload.`;
    return { code: "defined_in_file", message };
  }
  if (config.routing.default_profile === name) {
    return inUse(
      `Profile \`${name}\` is the default: set \`routing.default_profile\` to another, or drop it, first.`,
    );
  }
  const key = keys.find(({ profile, revoked_at }) => profile === name && revoked_at === null);
  if (key !== undefined) {
    return inUse(
      `Key \`${key.name}\` has profile \`${name}\`: give the key another, or revoke it, first.`,
    );
  }
  const alias = Object.keys(config.aliases).find(
    (from) => config.aliases[from] === `profile:${name}`,
  );
  if (alias === undefined) return null;
  return inUse(`Alias \`${alias}\` leads to profile \`${name}\`: change the alias first.`);
}

function inUse(message: string): DeletionObstacle {
  return { code: "invalid_value", message };
}
