import Anthropic from "@anthropic-ai/sdk";
import AnthropicV0 from "anthropic-v0";

/** What an SDK's helper makes of a stream: its final message, or the text of what it throws. */
export interface ReadBySdk {
  readonly message?: object;
  readonly events?: readonly string[];
  readonly error?: string;
}

/** Answers every request with the stream, without a network. */
function answering(text: string) {
  return () =>
    Promise.resolve(new Response(text, { headers: { "content-type": "text/event-stream" } }));
}

const options = (text: string) => ({
  apiKey: "sk-none",
  baseURL: "http://127.0.0.1:1",
  maxRetries: 0,
  logLevel: "off" as const,
  fetch: answering(text),
});

const request = {
  model: "m",
  max_tokens: 10,
  messages: [{ role: "user" as const, content: "hi" }],
};

/** The clients in use, by version. */
export const SDKS = [
  { name: "1.x", stream: (text: string) => new Anthropic(options(text)).messages.stream(request) },
  {
    name: "0.x",
    stream: (text: string) => new AnthropicV0(options(text)).messages.stream(request),
  },
];

interface MessageStream {
  finalMessage(): Promise<object>;
  on(event: "streamEvent", listener: (event: { readonly type: string }) => void): unknown;
}

/** Drives a helper to its end. */
export async function readBySdk(stream: MessageStream): Promise<ReadBySdk> {
  const events: string[] = [];
  stream.on("streamEvent", ({ type }) => events.push(type));
  try {
    const message: object = JSON.parse(JSON.stringify(await stream.finalMessage()));
    return { message, events };
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
}
