import type { Config } from "../config/schema.ts";
import { firstSet } from "../upstream/build-instance.ts";
import type { Instance } from "../upstream/instance.ts";

interface CredentialPlaces {
  readonly config: Pick<Config, "providers">;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Where the credential of an instance comes from: a config key or a variable, never its value. */
export function credentialSource(
  { name, type }: Instance,
  { config, env }: CredentialPlaces,
): string | null {
  if ((config.providers[name]?.api_key ?? "") !== "") return `providers.${name}.api_key`;
  return firstSet(env, type.env)?.name ?? null;
}
