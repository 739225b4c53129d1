/** What the client called a tool that a chat target knows as a function. */
export interface ResponsesTool {
  readonly kind: "function" | "custom";
  readonly name: string;
  readonly namespace: string | null;
}

/** The client's tools by the function name that chat targets see. */
export type ResponsesTools = ReadonlyMap<string, ResponsesTool>;
