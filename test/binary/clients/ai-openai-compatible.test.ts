import { createOpenAICompatible as create3 } from "@ai-sdk/openai-compatible";
import { createOpenAICompatible as create2 } from "ai-sdk-compatible-v2";

import { aiClient, aiFailures } from "../../support/clients/ai-sdk.ts";
import { proveClient } from "../../support/clients/prove-client.ts";

const PACKAGES = [
  {
    name: "ai 7 with @ai-sdk/openai-compatible 3",
    major: 7,
    create: create3,
    broken: "StreamProviderError",
  },
  { name: "ai 6 with @ai-sdk/openai-compatible 2", major: 6, create: create2, broken: "Object" },
] as const;

for (const { name, major, create, broken } of PACKAGES) {
  const client = aiClient({
    name,
    speaks: "chat",
    major,
    model: ({ url, key, model }) =>
      create({
        name: "veriroute",
        baseURL: `${url}/v1`,
        apiKey: key,
        includeUsage: true,
        supportsStructuredOutputs: true,
      })(model),
  });
  proveClient(client, {
    failures: aiFailures(402),
    broken: { name: broken, status: null, requests: 1 },
  });
}
