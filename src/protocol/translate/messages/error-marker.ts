/** Opens the text of a tool's result that is an error: chat has no member for it. */
export const ERROR_MARKER = "[tool error]";

export function markError(text: string): string {
  return text === "" ? ERROR_MARKER : `${ERROR_MARKER} ${text}`;
}
