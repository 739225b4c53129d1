import type { LanguageModel } from "ai";
import * as ai7 from "ai";
import * as ai6 from "ai-v6";

import type { Endpoint } from "./client-fleet.ts";
import { CITY_SCHEMA, type Client, PIXEL, WEATHER, weatherIn } from "./client.ts";
import type { Wire } from "./played.ts";
import type { Expected } from "./prove-client.ts";

// It knows none of the models here, and says so at every call.
Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false });

type Ai = Pick<
  typeof ai7,
  "generateText" | "streamText" | "tool" | "jsonSchema" | "stepCountIs" | "Output"
>;
type Usage = Readonly<Record<"inputTokens" | "outputTokens", number | undefined>>;

/** A major of the `ai` package; the older one is used as if it were the newer. */
export type AiMajor = 6 | 7;

const KITS: Readonly<Record<AiMajor, Ai>> = { 6: asNewest(ai6), 7: ai7 };

function asNewest(kit: object): Ai {
  if (!isKit(kit)) throw new Error("the older package lacks what is used of the newer");
  return kit;
}

function isKit(kit: object): kit is Ai {
  return "generateText" in kit && "streamText" in kit;
}

const usageOf = ({ inputTokens, outputTokens }: Usage) =>
  inputTokens === undefined || outputTokens === undefined
    ? null
    : { input: inputTokens, output: outputTokens };

interface Streamed {
  readonly fullStream: AsyncIterable<{ readonly type: string; readonly error?: unknown }>;
}

/** Reads a stream to its end; an error is one of its parts and is thrown here as its caller would. */
async function drain({ fullStream }: Streamed): Promise<void> {
  for await (const part of fullStream) {
    if (part.type === "error") throw part.error;
  }
}

interface AiClient {
  readonly name: string;
  readonly speaks: Wire;
  readonly major: AiMajor;
  /** The model as the provider package makes it. */
  readonly model: (endpoint: Endpoint) => LanguageModel;
}

/** The AI SDK with one of its provider packages. */
export function aiClient({ name, speaks, major, model }: AiClient): Client {
  const { generateText, streamText, tool, jsonSchema, stepCountIs, Output } = KITS[major];
  const schema = jsonSchema<{ city: string }>({
    ...CITY_SCHEMA,
    required: [...CITY_SCHEMA.required],
  });

  const call = (endpoint: Endpoint, prompt: string) => ({
    model: model(endpoint),
    prompt,
    ...(endpoint.retries !== undefined && { maxRetries: endpoint.retries }),
  });

  return {
    name,
    speaks,

    async say(endpoint, prompt) {
      const { text, usage } = await generateText(call(endpoint, prompt));
      return { text, usage: usageOf(usage) };
    },

    async stream(endpoint, prompt) {
      const streamed = streamText(call(endpoint, prompt));
      await drain(streamed);
      return { text: await streamed.text, usage: usageOf(await streamed.usage) };
    },

    async tools(endpoint, how) {
      const weather = tool({
        description: WEATHER.description,
        inputSchema: schema,
        execute: async (input) => weatherIn(input),
      });
      const asked = {
        ...call(endpoint, "The weather?"),
        tools: { weather },
        stopWhen: stepCountIs(3),
      };
      const whole = how === "whole" ? await generateText(asked) : undefined;
      const streamed = whole ?? streamText({ ...asked, onError: () => undefined });
      if (!whole && "fullStream" in streamed) await drain(streamed);
      const steps = await streamed.steps;
      return {
        calls: steps.flatMap(({ toolCalls }) =>
          toolCalls.map(({ toolName, input }) => ({ name: toolName, input })),
        ),
        text: await streamed.text,
      };
    },

    async image(endpoint) {
      const { text } = await generateText({
        model: model(endpoint),
        messages: [
          {
            role: "user",
            content: [
              { type: "text", text: "What is this?" },
              { type: "file", data: PIXEL, mediaType: "image/png" },
            ],
          },
        ],
      });
      return text;
    },

    async structured(endpoint) {
      const { output } = await generateText({
        ...call(endpoint, "Which city?"),
        output: Output.object({ schema }),
      });
      return output;
    },

    async abort(endpoint) {
      const leaving = new AbortController();
      const asked = { ...call(endpoint, "Go on"), abortSignal: leaving.signal };
      for await (const text of streamText(asked).textStream) {
        if (text === "") continue;
        leaving.abort();
        return text;
      }
      return "";
    },

    async fail(endpoint, how) {
      if (how === "whole") return generateText(call(endpoint, "Say hello"));
      const streamed = streamText({ ...call(endpoint, "Say hello"), onError: () => undefined });
      await drain(streamed);
      return { finish: await streamed.finishReason };
    },
  };
}

/** What the AI SDK makes of failures, whichever provider package it uses; `credit` is the status of an empty account. */
export const aiFailures = (credit: number): Expected["failures"] => ({
  e402: { name: "APICallError", status: credit, requests: 1 },
  e429: { name: "RetryError", status: null, requests: 2 },
  "e429-wait": { name: "RetryError", status: null, requests: 3 },
  e503: { name: "RetryError", status: null, requests: 2 },
  context: { name: "APICallError", status: 400, requests: 1 },
});
