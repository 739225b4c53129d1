import { hasHosts } from "../catalog/gateway.ts";
import type { Instance } from "../upstream/instance.ts";

/** It is stored and shown, so what is no name is none. */
const NAME = /^[\p{L}\d][\p{L}\d ._/:-]{0,63}$/u;

/** What a gateway calls the host that an answer came from; null where nothing or no name is told. */
export function answeringHost({ type }: Pick<Instance, "type">, told: unknown): string | null {
  return hasHosts(type) && typeof told === "string" && NAME.test(told) ? told : null;
}
