import Anthropic1 from "@anthropic-ai/sdk";
import Anthropic0 from "anthropic-v0";

import type { Endpoint } from "../../support/clients/client-fleet.ts";
import {
  CITY_SCHEMA,
  type Client,
  PIXEL,
  WEATHER,
  weatherIn,
} from "../../support/clients/client.ts";
import { proveClient } from "../../support/clients/prove-client.ts";

type Anthropic = Anthropic1;
type Body = Omit<Anthropic1.MessageCreateParamsNonStreaming, "model" | "max_tokens" | "stream">;

const { name, description, parameters } = WEATHER;
const TOOLS: Anthropic1.Tool[] = [
  { name, description, input_schema: { ...parameters, required: [...parameters.required] } },
];

interface Options {
  readonly baseURL: string;
  readonly apiKey: string;
  readonly maxRetries?: number;
}

interface Package {
  readonly name: string;
  /** Typed as the newest; a member that an older one lacks fails its tests. */
  readonly connect: (options: Options) => Anthropic;
  /** The newer one has classes for these two. */
  readonly errors: Readonly<Record<"e402" | "e503", string>>;
}

const PACKAGES: readonly Package[] = [
  {
    name: "@anthropic-ai/sdk 1",
    connect: (options) => new Anthropic1(options),
    errors: { e402: "PaymentRequiredError", e503: "OverloadedError" },
  },
  {
    name: "@anthropic-ai/sdk 0",
    connect: (options) => asNewest(new Anthropic0(options)),
    errors: { e402: "APIError", e503: "InternalServerError" },
  },
];

function asNewest(client: object): Anthropic {
  if (!isClient(client)) throw new Error("the older package exports no client");
  return client;
}

function isClient(client: object): client is Anthropic {
  return "messages" in client;
}

const user = (content: Anthropic1.MessageParam["content"]): Anthropic1.MessageParam => ({
  role: "user",
  content,
});

const textOf = ({ content }: Anthropic1.Message) =>
  content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("");
const told = (message: Anthropic1.Message) => ({
  text: textOf(message),
  usage: { input: message.usage.input_tokens, output: message.usage.output_tokens },
});

function messagesClient({ name: packageName, connect }: Package): Client {
  const messagesOf = ({ url, key, retries }: Endpoint) =>
    connect({ baseURL: url, apiKey: key, ...(retries !== undefined && { maxRetries: retries }) })
      .messages;

  const ask = (
    endpoint: Endpoint,
    how: "whole" | "stream",
    more: Body,
  ): Promise<Anthropic1.Message> => {
    const body = { model: endpoint.model, max_tokens: 500, ...more };
    return how === "whole"
      ? messagesOf(endpoint).create(body)
      : messagesOf(endpoint).stream(body).finalMessage();
  };

  return {
    name: packageName,
    speaks: "messages",
    say: async (endpoint, prompt) =>
      told(await ask(endpoint, "whole", { messages: [user(prompt)] })),
    stream: async (endpoint, prompt) =>
      told(await ask(endpoint, "stream", { messages: [user(prompt)] })),

    async tools(endpoint, how) {
      const messages = [user("The weather?")];
      const asked = await ask(endpoint, how, { messages, tools: TOOLS });
      const calls = asked.content.flatMap((block) => (block.type === "tool_use" ? [block] : []));
      const results = calls.map(({ id, input }): Anthropic1.ToolResultBlockParam => ({
        type: "tool_result",
        tool_use_id: id,
        content: weatherIn(input),
      }));
      const answered = await ask(endpoint, how, {
        messages: [...messages, { role: "assistant", content: asked.content }, user(results)],
        tools: TOOLS,
      });
      return {
        calls: calls.map((call) => ({ name: call.name, input: call.input })),
        text: textOf(answered),
      };
    },

    async image(endpoint) {
      const source = { type: "base64", media_type: "image/png", data: PIXEL } as const;
      const content = [
        { type: "text", text: "What is this?" } as const,
        { type: "image", source } as const,
      ];
      return textOf(await ask(endpoint, "whole", { messages: [user(content)] }));
    },

    async structured(endpoint) {
      const answer = await ask(endpoint, "whole", {
        messages: [user("Which city?")],
        output_config: { format: { type: "json_schema", schema: CITY_SCHEMA } },
      });
      return JSON.parse(textOf(answer));
    },

    async abort(endpoint) {
      const { model } = endpoint;
      const messages = [user("Go on")];
      const stream = messagesOf(endpoint).stream({ model, max_tokens: 500, messages });
      for await (const event of stream) {
        if (event.type === "content_block_delta" && event.delta.type === "text_delta") {
          return event.delta.text;
        }
      }
      return "";
    },

    fail: (endpoint, how) => ask(endpoint, how, { messages: [user("Say hello")] }),
  };
}

for (const each of PACKAGES) {
  proveClient(messagesClient(each), {
    failures: {
      e402: { name: each.errors.e402, status: 402, requests: 1 },
      e429: { name: "RateLimitError", status: 429, requests: 2 },
      "e429-wait": { name: "RateLimitError", status: 429, requests: 3 },
      e503: { name: each.errors.e503, status: 529, requests: 2 },
      context: { name: "BadRequestError", status: 400, requests: 1 },
    },
    broken: { name: "APIError", status: null, requests: 1 },
  });
}
