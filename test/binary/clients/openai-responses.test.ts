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
import { type Sdk, SDKS } from "../../support/sdk.ts";

type Body = Omit<OpenAI.Responses.ResponseCreateParamsNonStreaming, "model" | "stream">;

const TOOLS: OpenAI.Responses.Tool[] = [
  { type: "function", ...WEATHER, parameters: { ...WEATHER.parameters }, strict: true },
];

/** The stream helper of an older major leaves `output_text` out. */
const textOf = ({ output }: OpenAI.Responses.Response) =>
  output
    .flatMap((each) => (each.type === "message" ? each.content : []))
    .flatMap((part) => (part.type === "output_text" ? [part.text] : []))
    .join("");
const told = (response: OpenAI.Responses.Response) => ({
  text: textOf(response),
  usage: response.usage
    ? { input: response.usage.input_tokens, output: response.usage.output_tokens }
    : null,
});

/** The package's Responses API, with its stream helper. */
function responsesClient({ major, OpenAI: Package }: Sdk): Client {
  const responsesOf = ({ url, key, retries }: Endpoint) =>
    new Package({
      baseURL: `${url}/v1`,
      apiKey: key,
      ...(retries !== undefined && { maxRetries: retries }),
    }).responses;

  const ask = async (
    endpoint: Endpoint,
    how: "whole" | "stream",
    more: Body,
  ): Promise<OpenAI.Responses.Response> => {
    const body = { model: endpoint.model, store: false, ...more };
    if (how === "whole") return responsesOf(endpoint).create(body);
    const response = await responsesOf(endpoint).stream(body).finalResponse();
    // The helper resolves with whatever it has when a stream stops short.
    if (response.status === "completed") return response;
    throw new Unfinished(response.error?.code ?? response.status ?? "unknown");
  };

  return {
    name: `openai ${major}, responses`,
    speaks: "responses",
    say: async (endpoint, input) => told(await ask(endpoint, "whole", { input })),
    stream: async (endpoint, input) => told(await ask(endpoint, "stream", { input })),

    async tools(endpoint, how) {
      const input: OpenAI.Responses.ResponseInput = [{ role: "user", content: "The weather?" }];
      const asked = await ask(endpoint, how, { input, tools: TOOLS });
      const calls = asked.output.flatMap((each) => (each.type === "function_call" ? [each] : []));
      const inputs = calls.map((call) => JSON.parse(call.arguments));
      const results = calls.map(({ call_id }, at) => ({
        type: "function_call_output" as const,
        call_id,
        output: weatherIn(inputs[at]),
      }));
      const answered = await ask(endpoint, how, {
        input: [...input, ...calls, ...results],
        tools: TOOLS,
      });
      return {
        calls: calls.map((call, at) => ({ name: call.name, input: inputs[at] })),
        text: textOf(answered),
      };
    },

    async image(endpoint) {
      const image_url = `data:image/png;base64,${PIXEL}`;
      const content: OpenAI.Responses.ResponseInputMessageContentList = [
        { type: "input_text", text: "What is this?" },
        { type: "input_image", image_url, detail: "auto" },
      ];
      return told(await ask(endpoint, "whole", { input: [{ role: "user", content }] })).text;
    },

    async structured(endpoint) {
      const format = {
        type: "json_schema" as const,
        name: "city",
        strict: true,
        schema: { ...CITY_SCHEMA },
      };
      const answer = await ask(endpoint, "whole", { input: "Which city?", text: { format } });
      return JSON.parse(textOf(answer));
    },

    async abort(endpoint) {
      const { model } = endpoint;
      const stream = await responsesOf(endpoint).create({ model, input: "Go on", stream: true });
      for await (const event of stream) {
        if (event.type === "response.output_text.delta") return event.delta;
      }
      return "";
    },

    fail: (endpoint, how) => ask(endpoint, how, { input: "Say hello" }),
  };
}

class Unfinished extends Error {
  override readonly name = "Unfinished";
}

for (const sdk of SDKS) {
  proveClient(responsesClient(sdk), {
    failures: {
      e402: { name: "BadRequestError", status: 400, requests: 1 },
      e429: { name: "RateLimitError", status: 429, requests: 2 },
      "e429-wait": { name: "RateLimitError", status: 429, requests: 3 },
      e503: { name: "RateLimitError", status: 429, requests: 2 },
      context: { name: "BadRequestError", status: 400, requests: 1 },
    },
    broken: { name: "APIError", status: null, requests: 1 },
  });
}
