import type { ClaudeFacts, ClaudeVerdict } from "../../anthropic/request/claude-facts.ts";
import { claudeFacts } from "../../anthropic/request/claude-models.ts";
import { UNSIGNED_LOOP } from "../../anthropic/request/fit.ts";
import { withVerdict } from "../../anthropic/request/flip.ts";
import { askedByChat, type ThinkingAsked } from "../../anthropic/request/thinking-asked.ts";
import { shapeThinking, type ThinkingShape } from "../../anthropic/request/thinking.ts";
import { lacksThinking } from "../../anthropic/request/tool-loop.ts";
import { arrayOf, isObject, type JsonObject, objectOf } from "../../openai/fields.ts";
import { createFindings, type Findings, isGiven } from "../findings.ts";
import type { TranslatedRequest } from "../translation.ts";
import { draftFromChat } from "./draft-from-chat.ts";
import { formatFromChat } from "./format-from-chat.ts";
import { samplingFromChat, settingsFromChat } from "./settings-from-chat.ts";
import { toolsFromChat } from "./tools-from-chat.ts";
import { finishTurns } from "./turns-from-chat.ts";

export interface MessagesTarget {
  /** The model id that is sent. */
  readonly model: string;
  /** What the model's own 400s taught of it. */
  readonly verdict?: ClaudeVerdict | undefined;
  /** False where another model thought in earlier turns, which this one would refuse. Default true. */
  readonly keep_thinking?: boolean;
}

export interface MessagesRequest extends TranslatedRequest {
  /** What of the client's wishes was changed for this model, as sentences. */
  readonly warnings: readonly string[];
  /** Tools that the client declared as `custom`: a call's `input` is the text in `input.input`. */
  readonly custom_tools: readonly string[];
}

/** A chat request as a Messages request to one model, within all its rules. */
export function chatToMessages(body: JsonObject, target: MessagesTarget): MessagesRequest {
  const { model, verdict, keep_thinking = true } = target;
  const facts = withVerdict(claudeFacts(model), verdict);
  const findings = createFindings();
  const draft = draftFromChat(body["messages"], keep_thinking, findings);
  const messages = finishTurns(draft.turns, facts, findings);
  const { format, instruction } = formatFromChat(body, facts, findings);
  const system = instruction
    ? [...draft.system, { type: "text", text: instruction }]
    : draft.system;
  const tools = toolsFromChat(body, namesUsed(messages), { facts, findings });
  const settings = settingsFromChat(body, findings);
  const shape = fittingThinking(body, { facts, messages, tools: tools.members, findings });
  if (shape.warnings.length > 0) findings.lose("thinking");
  const thinks = isObject(shape.thinking) && isOn(shape.thinking);
  const output_config = { ...shape.output_config, ...(format && { format }) };
  const sent: JsonObject = {
    model,
    max_tokens: shape.max_tokens,
    ...(system.length > 0 && { system: systemOf(system) }),
    messages,
    ...tools.members,
    ...samplingFromChat(body, { sampling: facts.sampling, thinks }, findings),
    ...settings,
    ...(shape.thinking && { thinking: shape.thinking }),
    ...(Object.keys(output_config).length > 0 && { output_config }),
  };
  return {
    body: sent,
    lossy: findings.lossy(),
    refused: findings.refused(),
    warnings: shape.warnings,
    custom_tools: tools.custom_tools,
  };
}

function systemOf(blocks: readonly JsonObject[]): unknown {
  const [first] = blocks;
  return blocks.length === 1 && first && !("cache_control" in first) ? first["text"] : blocks;
}

function namesUsed(messages: readonly JsonObject[]): readonly string[] {
  const blocks = messages.flatMap(({ content }) => arrayOf(content).map(objectOf));
  return blocks.flatMap(({ type, name }) =>
    type === "tool_use" && typeof name === "string" ? [name] : [],
  );
}

interface ThinkingPlace {
  readonly facts: ClaudeFacts;
  readonly messages: readonly JsonObject[];
  readonly tools: JsonObject;
  readonly findings: Findings;
}

/** Below it, a model that thinks unasked may use up the whole answer before it says a word. */
const LEAST_UNASKED = 1024;

function fittingThinking(body: JsonObject, place: ThinkingPlace): ThinkingShape {
  const { facts, messages, tools, findings } = place;
  const cap = capOf(body, findings);
  const asked = askedByChat(body);
  if (asked.mode === "unsaid" && facts.thinks_by_default && cap !== null && cap < LEAST_UNASKED) {
    return withWarning(shapeThinking({ ...asked, mode: "off" }, facts, cap), SMALL_CAP);
  }
  const shape = shapeThinking(asked, facts, cap);
  const { type } = objectOf(shape.thinking);
  const isForced = ["any", "tool"].includes(String(objectOf(tools["tool_choice"])["type"]));
  // Models that take samplings are those whose thinking and forced tools exclude each other.
  if (isForced && facts.sampling && (type === "enabled" || type === "adaptive")) {
    return withWarning(off(asked, facts, cap), FORCED_TOOL);
  }
  if (type === "enabled" && lacksThinking(messages)) {
    return withWarning(off(asked, facts, cap), UNSIGNED_LOOP);
  }
  return shape;
}

const SMALL_CAP =
  `Thinking was turned off, because \`max_tokens\` is below ${LEAST_UNASKED} and thinking counts ` +
  "against it; name a `reasoning_effort` to get it back.";
const FORCED_TOOL =
  "Thinking is off for this call: this model does not think where `tool_choice` forces a tool.";

function off(asked: ThinkingAsked, facts: ClaudeFacts, cap: number | null): ThinkingShape {
  const {
    thinking: _,
    output_config: __,
    ...shape
  } = shapeThinking({ ...asked, mode: "unsaid", effort: null }, facts, cap);
  return shape;
}

function withWarning(shape: ThinkingShape, warning: string): ThinkingShape {
  return { ...shape, warnings: [...shape.warnings, warning] };
}

function isOn({ type }: JsonObject): boolean {
  return type === "enabled" || type === "adaptive";
}

/** The client's cap on the answer, the newer name first; null without one. */
function capOf(body: JsonObject, findings: Findings): number | null {
  const name = isGiven(body["max_completion_tokens"]) ? "max_completion_tokens" : "max_tokens";
  const cap = body[name];
  if (!isGiven(cap)) return null;
  if (typeof cap === "number" && Number.isInteger(cap) && cap >= 1) return cap;
  findings.refuse({ param: name, message: `\`${name}\` must be a whole number of at least 1.` });
  return null;
}
