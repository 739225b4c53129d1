import type { CapabilityFacts } from "../catalog/card-facts.ts";
import type { Capabilities } from "../catalog/model-card.ts";
import { memberOf } from "./model-ids.ts";

/** What a listing's entry says a model can do, in any of the forms that vendors use. */
export function listingCapabilities(entry: unknown): CapabilityFacts {
  return {
    ...fromTags(entry),
    ...fromParameters(memberOf(entry, "supported_parameters")),
    ...fromModalities(memberOf(memberOf(entry, "architecture"), "input_modalities")),
    ...fromFlags(memberOf(entry, "capabilities")),
  };
}

/** OpenRouter's list is complete: a parameter that is missing is not supported. */
function fromParameters(list: unknown): CapabilityFacts {
  const names = textsOf(list);
  if (names === undefined || names.size === 0) return {};
  return {
    tools: names.has("tools"),
    json: names.has("response_format") || names.has("structured_outputs"),
    reasoning: names.has("reasoning") || names.has("include_reasoning"),
  };
}

function fromModalities(list: unknown): CapabilityFacts {
  const names = textsOf(list);
  return names === undefined || names.size === 0 ? {} : { vision: names.has("image") };
}

/** Names of abilities in the objects of Mistral (`true`) and Anthropic (`{"supported": true}`). */
const FLAGS: Readonly<Record<string, keyof Capabilities>> = {
  function_calling: "tools",
  vision: "vision",
  image_input: "vision",
  structured_outputs: "json",
  reasoning: "reasoning",
  thinking: "reasoning",
};

function fromFlags(flags: unknown): CapabilityFacts {
  const known: Partial<Record<keyof Capabilities, boolean>> = {};
  for (const [flag, name] of Object.entries(FLAGS)) {
    const value = memberOf(flags, flag);
    const said = typeof value === "boolean" ? value : memberOf(value, "supported");
    if (typeof said === "boolean") known[name] = said;
  }
  return known;
}

/** Words in the lists of Vercel, LM Studio and llama.cpp. A word that is missing says nothing. */
const TAGS: Readonly<Record<string, keyof Capabilities>> = {
  "tool-use": "tools",
  tool_use: "tools",
  vision: "vision",
  multimodal: "vision",
  reasoning: "reasoning",
};

function fromTags(entry: unknown): CapabilityFacts {
  const known: Partial<Record<keyof Capabilities, boolean>> = {};
  for (const list of [memberOf(entry, "tags"), memberOf(entry, "capabilities")]) {
    for (const word of textsOf(list) ?? []) {
      const name = Object.hasOwn(TAGS, word) ? TAGS[word] : undefined;
      if (name !== undefined) known[name] = true;
    }
  }
  return known;
}

/** Longer lists are no lists of words. */
const MAX_WORDS = 200;

function textsOf(list: unknown): ReadonlySet<string> | undefined {
  if (!Array.isArray(list)) return undefined;
  const words: readonly unknown[] = list.slice(0, MAX_WORDS);
  return new Set(words.filter((word) => typeof word === "string"));
}
