import { chatQuirks } from "../catalog/chat-quirks/find-chat-quirks.ts";
import { memoize, memoizeRecent } from "../lib/memoize.ts";
import type { ChatQuirks } from "../protocol/shaping/quirks.ts";
import type { Instance } from "../upstream/instance.ts";

/** Clients may name any model of an instance. */
const MAX_MODELS = 200;

const byType = memoize((type: Instance["type"]) =>
  memoizeRecent((model) => chatQuirks(type, model), MAX_MODELS),
);

/** Asked for every attempt, and of a vendor with many rows not to be had for nothing. */
export function knownQuirks({ type }: Pick<Instance, "type">, model: string): ChatQuirks {
  return byType(type)(model);
}
