/** An event of the Messages API as text; SDKs drop one that has no `event:` line. */
export function eventText(event: { readonly type: string }): string {
  return `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
}
