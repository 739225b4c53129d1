import { createOpenAI as create4 } from "@ai-sdk/openai";
import { createOpenAI as create3 } from "ai-sdk-openai-v3";

import { aiClient, aiFailures } from "../../support/clients/ai-sdk.ts";
import type { Endpoint } from "../../support/clients/client-fleet.ts";
import { proveClient } from "../../support/clients/prove-client.ts";

const options = ({ url, key }: Endpoint) => ({ baseURL: `${url}/v1`, apiKey: key });

const PACKAGES = [
  {
    name: "ai 7 with @ai-sdk/openai 4",
    major: 7,
    broken: { name: "StreamProviderError", status: 500, requests: 1 },
    brokenResponse: { name: "StreamProviderError", status: 500, requests: 1 },
    chat: (endpoint: Endpoint) => create4(options(endpoint)).chat(endpoint.model),
    responses: (endpoint: Endpoint) => create4(options(endpoint))(endpoint.model),
  },
  {
    name: "ai 6 with @ai-sdk/openai 3",
    major: 6,
    broken: { name: "Object", status: null, requests: 1 },
    brokenResponse: { name: "Object", status: 500, requests: 1 },
    chat: (endpoint: Endpoint) => create3(options(endpoint)).chat(endpoint.model),
    responses: (endpoint: Endpoint) => create3(options(endpoint))(endpoint.model),
  },
] as const;

for (const { name, major, broken, brokenResponse, chat, responses } of PACKAGES) {
  proveClient(aiClient({ name: `${name}, chat`, speaks: "chat", major, model: chat }), {
    failures: aiFailures(402),
    broken,
  });
  proveClient(
    aiClient({ name: `${name}, responses`, speaks: "responses", major, model: responses }),
    {
      failures: aiFailures(400),
      broken: brokenResponse,
    },
  );
}
