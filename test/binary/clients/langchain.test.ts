import { AIMessage, HumanMessage, ToolMessage } from "@langchain/core/messages";
import { ChatOpenAI } from "@langchain/openai";

import type { Endpoint } from "../../support/clients/client-fleet.ts";
import {
  CITY_SCHEMA,
  type Client,
  PIXEL,
  WEATHER,
  weatherIn,
} from "../../support/clients/client.ts";
import { proveClient } from "../../support/clients/prove-client.ts";

const TOOLS = [{ type: "function" as const, function: { ...WEATHER } }];

interface Kind {
  readonly name: string;
  readonly useResponsesApi: boolean;
}

interface Usage {
  readonly input_tokens: number;
  readonly output_tokens: number;
}

interface Answered {
  readonly text: string;
  readonly usage_metadata?: Usage | undefined;
}

const told = ({ text, usage_metadata: usage }: Answered) => ({
  text,
  usage: usage ? { input: usage.input_tokens, output: usage.output_tokens } : null,
});

type Model = ReturnType<ChatOpenAI["bindTools"]>;
type Input = Parameters<Model["invoke"]>[0];

async function joined(model: Model, input: Input) {
  const chunks = [];
  for await (const chunk of await model.stream(input)) chunks.push(chunk);
  const [first, ...rest] = chunks;
  if (!first) throw new Error("the stream brought nothing");
  return rest.reduce((whole, chunk) => whole.concat(chunk), first);
}

const ask = (model: Model, input: Input, how: "whole" | "stream") =>
  how === "whole" ? model.invoke(input) : joined(model, input);

function langchain({ name, useResponsesApi }: Kind): Client {
  const modelOf = ({ url, key, model, retries }: Endpoint) =>
    new ChatOpenAI({
      model,
      apiKey: key,
      useResponsesApi,
      configuration: { baseURL: `${url}/v1` },
      maxRetries: retries ?? 2,
    });

  return {
    name,
    speaks: useResponsesApi ? "responses" : "chat",
    say: async (endpoint, prompt) => told(await modelOf(endpoint).invoke(prompt)),
    stream: async (endpoint, prompt) => told(await joined(modelOf(endpoint), prompt)),

    async tools(endpoint, how) {
      const model = modelOf(endpoint).bindTools(TOOLS);
      const question = new HumanMessage("The weather?");
      const asked = await ask(model, [question], how);
      const calls = asked.tool_calls ?? [];
      const results = calls.map(
        ({ id, args }) => new ToolMessage({ tool_call_id: id ?? "", content: weatherIn(args) }),
      );
      const turn = new AIMessage({ content: asked.text, tool_calls: calls });
      const answered = await ask(model, [question, turn, ...results], how);
      return {
        calls: calls.map((call) => ({ name: call.name, input: call.args })),
        text: answered.text,
      };
    },

    async image(endpoint) {
      const url = `data:image/png;base64,${PIXEL}`;
      const content = [
        { type: "text", text: "What is this?" },
        { type: "image_url", image_url: { url } },
      ];
      return (await modelOf(endpoint).invoke([new HumanMessage({ content })])).text;
    },

    structured: (endpoint) =>
      modelOf(endpoint)
        .withStructuredOutput(
          { ...CITY_SCHEMA, title: "city" },
          { method: "jsonSchema", strict: true },
        )
        .invoke("Which city?"),

    async abort(endpoint) {
      const leaving = new AbortController();
      const { signal } = leaving;
      for await (const { text } of await modelOf(endpoint).stream("Go on", { signal })) {
        if (text === "") continue;
        leaving.abort();
        return text;
      }
      return "";
    },

    fail: (endpoint, how) => ask(modelOf(endpoint), "Say hello", how),
  };
}

const KINDS: readonly Kind[] = [
  { name: "@langchain/openai 1, chat", useResponsesApi: false },
  { name: "@langchain/openai 1, responses", useResponsesApi: true },
];

for (const kind of KINDS) {
  const isResponses = kind.useResponsesApi;
  proveClient(langchain(kind), {
    failures: {
      e402: isResponses
        ? { name: "BadRequestError", status: 400, requests: 1 }
        : { name: "APIError", status: 402, requests: 1 },
      e429: { name: "RateLimitError", status: 429, requests: 2 },
      "e429-wait": { name: "RateLimitError", status: 429, requests: 3 },
      e503: isResponses
        ? { name: "RateLimitError", status: 429, requests: 2 }
        : { name: "InternalServerError", status: 503, requests: 2 },
      context: { name: "ContextOverflowError", status: null, requests: 1 },
    },
    broken: { name: "APIError", status: null, requests: 1 },
  });
}
