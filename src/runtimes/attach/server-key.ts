import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/**
 * The key that a runtime's server asks for. It lies beside the runtime's ssh key, where only this user
 * reads it, so that a router that starts anew can use the runtime, and goes when that is released.
 */
function serverKeyFile(directory: string): string {
  return join(directory, "server-key");
}

/** Throws what the file system throws. */
export function makeServerKey(directory: string, random: (bytes: number) => Uint8Array): string {
  const key = `sk-${Buffer.from(random(24)).toString("base64url")}`;
  writeFileSync(serverKeyFile(directory), key, { mode: 0o600 });
  return key;
}

/** Null where there is none, as for a machine that was taken over. */
export function readServerKey(directory: string): string | null {
  try {
    return readFileSync(serverKeyFile(directory), "utf8");
  } catch {
    return null;
  }
}
