/** Blocks of a message, and parts of chat content, that another dialect has no room for. */
const KINDS = [
  "advisor_tool_result",
  "audio",
  "bash_code_execution_tool_result",
  "code_execution_tool_result",
  "compaction",
  "compaction_delta",
  "container_upload",
  "document",
  "document_url",
  "fallback",
  "file",
  "image",
  "image_url",
  "input_audio",
  "mcp_tool_listing",
  "mcp_tool_result",
  "mcp_tool_use",
  "reference",
  "search_result",
  "server_tool_use",
  "text_editor_code_execution_tool_result",
  "tool_reference",
  "tool_result",
  "tool_search_tool_result",
  "tool_use",
  "video_url",
  "web_fetch_tool_result",
  "web_search_tool_result",
] as const;

type LostKind = (typeof KINDS)[number];

/**
 * What of an answer was left out, for the decision. A closed list: what an upstream calls its blocks is
 * its own text, and none of that is recorded.
 */
export type AnswerLoss =
  | LostKind
  | "annotations"
  | "choices"
  | "citations"
  | "content_block"
  | "content_block_delta"
  | `content.${LostKind | "part"}`
  | "images"
  | "input_json_delta"
  | "reasoning_details.data"
  | "reasoning_details.signature"
  | "tool_calls";

export type OnLoss = (name: AnswerLoss) => void;

const KNOWN: ReadonlyMap<unknown, LostKind> = new Map(KINDS.map((kind) => [kind, kind]));

/** The kind that an upstream names, or `other` for one that nobody knows. */
export function lostKind<Other>(type: unknown, other: Other): LostKind | Other {
  return KNOWN.get(type) ?? other;
}
