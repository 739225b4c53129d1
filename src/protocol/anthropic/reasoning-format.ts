/** How vendors of chat name reasoning that Anthropic signed or encrypted, as the `format` of its details. */
export const CLAUDE_FORMAT = "anthropic-claude-v1";
