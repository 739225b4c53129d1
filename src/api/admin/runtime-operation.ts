import type { Runtimes } from "../../runtimes/runtimes.ts";
import type { Guard } from "../guard.ts";
import { quoted, refuse } from "../refusal.ts";
import type { Audit } from "./audit.ts";

export interface RuntimeDependencies {
  readonly runtimes: Pick<Runtimes, "list" | "find" | "up" | "down" | "adopt" | "logs">;
  readonly guard: Guard;
  readonly audit: Audit;
}

export const operation = { tag: "runtimes", scope: "admin", envelope: "admin" } as const;
export const NAME = { name: "Name of the runtime." } as const;

export function unknown(name: string): Response {
  const message = `There is no runtime ${quoted(name)} that runs. \`GET /admin/v1/runtimes\` lists them.`;
  return refuse("admin", { code: "not_found", message, param: "name" });
}

export function refused(message: string): Response {
  return refuse("admin", { code: "runtime_refused", message });
}
