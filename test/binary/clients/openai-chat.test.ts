import type OpenAI from "openai";

import type { Endpoint } from "../../support/clients/client-fleet.ts";
import {
  CITY_SCHEMA,
  type Client,
  PIXEL,
  WEATHER,
  weatherIn,
} from "../../support/clients/client.ts";
import { proveClient } from "../../support/clients/prove-client.ts";
import { type Sdk, SDKS, streamingCompletions } from "../../support/sdk.ts";

const TOOLS: OpenAI.ChatCompletionTool[] = [{ type: "function", function: { ...WEATHER } }];

const user = (content: OpenAI.ChatCompletionUserMessageParam["content"]) =>
  ({ role: "user", content }) as const;

const usageOf = (usage: OpenAI.CompletionUsage | null | undefined) =>
  usage ? { input: usage.prompt_tokens, output: usage.completion_tokens } : null;

const told = ({ choices: [choice], usage }: OpenAI.ChatCompletion) => ({
  text: choice?.message.content ?? "",
  usage: usageOf(usage),
});

/** The package's chat completions, with its stream helper where it has one. */
function chatClient({ major, OpenAI: Package }: Sdk): Client {
  const clientOf = ({ url, key, retries }: Endpoint) =>
    new Package({
      baseURL: `${url}/v1`,
      apiKey: key,
      ...(retries !== undefined && { maxRetries: retries }),
    });

  const ask = async (
    endpoint: Endpoint,
    how: "whole" | "stream",
    more: Omit<OpenAI.ChatCompletionCreateParamsNonStreaming, "model" | "stream">,
  ): Promise<OpenAI.ChatCompletion> => {
    const client = clientOf(endpoint);
    const body = { model: endpoint.model, ...more };
    if (how === "whole") return client.chat.completions.create(body);
    const stream_options = { include_usage: true };
    return streamingCompletions(client)
      .stream({ ...body, stream_options })
      .finalChatCompletion();
  };
  return {
    name: `openai ${major}, chat`,
    speaks: "chat",
    say: async (endpoint, prompt) =>
      told(await ask(endpoint, "whole", { messages: [user(prompt)] })),
    stream: async (endpoint, prompt) =>
      told(await ask(endpoint, "stream", { messages: [user(prompt)] })),

    async tools(endpoint, how) {
      const messages: OpenAI.ChatCompletionMessageParam[] = [user("The weather?")];
      const asked = await ask(endpoint, how, { messages, tools: TOOLS });
      const message = asked.choices[0]?.message;
      const calls = (message?.tool_calls ?? []).flatMap((call) =>
        call.type === "function" ? [call] : [],
      );
      const inputs = calls.map((call) => JSON.parse(call.function.arguments));
      const results = calls.map(({ id }, at) => ({
        role: "tool" as const,
        tool_call_id: id,
        content: weatherIn(inputs[at]),
      }));
      const answered = await ask(endpoint, how, {
        messages: [...messages, { role: "assistant", tool_calls: calls }, ...results],
        tools: TOOLS,
      });
      return {
        calls: calls.map((call, at) => ({ name: call.function.name, input: inputs[at] })),
        text: told(answered).text,
      };
    },

    async image(endpoint) {
      const url = `data:image/png;base64,${PIXEL}`;
      const content = [
        { type: "text" as const, text: "What is this?" },
        { type: "image_url" as const, image_url: { url } },
      ];
      return told(await ask(endpoint, "whole", { messages: [user(content)] })).text;
    },

    async structured(endpoint) {
      const answer = await ask(endpoint, "whole", {
        messages: [user("Which city?")],
        response_format: {
          type: "json_schema",
          json_schema: { name: "city", strict: true, schema: CITY_SCHEMA },
        },
      });
      return JSON.parse(told(answer).text);
    },

    async abort(endpoint) {
      const stream = await clientOf(endpoint).chat.completions.create({
        model: endpoint.model,
        messages: [user("Go on")],
        stream: true,
      });
      for await (const { choices } of stream) {
        const text = choices[0]?.delta.content;
        if (text) return text;
      }
      return "";
    },

    fail: (endpoint, how) => ask(endpoint, how, { messages: [user("Say hello")] }),
  };
}

for (const sdk of SDKS) {
  proveClient(chatClient(sdk), {
    failures: {
      e402: { name: "APIError", status: 402, requests: 1 },
      e429: { name: "RateLimitError", status: 429, requests: 2 },
      "e429-wait": { name: "RateLimitError", status: 429, requests: 3 },
      e503: { name: "InternalServerError", status: 503, requests: 2 },
      context: { name: "BadRequestError", status: 400, requests: 1 },
    },
    broken: { name: "APIError", status: null, requests: 1 },
  });
}
