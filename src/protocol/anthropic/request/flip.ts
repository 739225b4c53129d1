import { type JsonObject, objectOf } from "../../openai/fields.ts";
import type { ClaudeFacts, ClaudeVerdict } from "./claude-facts.ts";

const REFUSES =
  /not (?:supported|permitted|allowed|available)|unsupported|does(?:n't| not) (?:support|accept)|no longer (?:supported|accepted)|deprecated|cannot be/;

/**
 * What a 400 teaches of the model that gave it: the request is then shaped anew with these facts and
 * sent once more. Null if the text is about something else. `sent` is the body that was refused.
 */
export function flipOn400(text: string, sent: JsonObject): ClaudeVerdict | null {
  const words = text.toLowerCase();
  if (!REFUSES.test(words)) return null;
  return thinkingVerdict(words, sent) ?? effortVerdict(words, sent) ?? memberVerdict(words, sent);
}

/** The facts with what was learned. */
export function withVerdict(facts: ClaudeFacts, verdict: ClaudeVerdict | undefined): ClaudeFacts {
  return verdict ? { ...facts, ...verdict } : facts;
}

function thinkingVerdict(words: string, sent: JsonObject): ClaudeVerdict | null {
  const { type } = objectOf(sent["thinking"]);
  switch (type) {
    case "enabled":
      if (!/enabled|budget_tokens/.test(words)) return notAtAll(words);
      return { budget: false, adaptive: true };
    case "adaptive":
      if (!words.includes("adaptive")) return notAtAll(words);
      return { adaptive: false, budget: true };
    case "disabled":
      return words.includes("disabled") ? { off: offInsteadOfDisabled(words, sent) } : null;
    case "between_tools":
      if (!words.includes("between_tools")) return null;
      return { off: words.includes("disabled") ? "disabled" : "never" };
    default:
      return null;
  }
}

/** The model does not think in any form. */
function notAtAll(words: string): ClaudeVerdict | null {
  if (!/thinking/.test(words) || /effort|tool_choice|temperature|top_[kp]/.test(words)) return null;
  return { budget: false, adaptive: false, off: "absent" };
}

function offInsteadOfDisabled(words: string, sent: JsonObject): ClaudeFacts["off"] {
  if (words.includes("between_tools")) return "between_tools";
  const { effort } = objectOf(sent["output_config"]);
  const isHigh = effort === "xhigh" || effort === "max";
  return isHigh && words.includes("effort") ? "disabled_to_high" : "never";
}

function effortVerdict(words: string, sent: JsonObject): ClaudeVerdict | null {
  const { effort } = objectOf(sent["output_config"]);
  if (effort === undefined || !words.includes("effort")) return null;
  if (effort === "max") return { efforts: ["low", "medium", "high", "xhigh"] };
  if (effort === "xhigh") return { efforts: ["low", "medium", "high", "max"] };
  return { efforts: [] };
}

function memberVerdict(words: string, sent: JsonObject): ClaudeVerdict | null {
  const { type } = objectOf(sent["tool_choice"]);
  if (words.includes("tool_choice") && (type === "any" || type === "tool")) {
    return { forced_tool: false };
  }
  const named = ["temperature", "top_p", "top_k"].filter((name) => words.includes(name));
  return named.some((name) => sent[name] !== undefined) ? { sampling: false } : null;
}
