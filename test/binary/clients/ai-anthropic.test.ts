import { createAnthropic as create4 } from "@ai-sdk/anthropic";
import { createAnthropic as create3 } from "ai-sdk-anthropic-v3";

import { aiClient, aiFailures } from "../../support/clients/ai-sdk.ts";
import { proveClient } from "../../support/clients/prove-client.ts";

const PACKAGES = [
  {
    name: "ai 7 with @ai-sdk/anthropic 4",
    major: 7,
    create: create4,
    broken: { name: "StreamProviderError", status: 500, requests: 1 },
  },
  {
    name: "ai 6 with @ai-sdk/anthropic 3",
    major: 6,
    create: create3,
    broken: { name: "Object", status: null, requests: 1 },
  },
] as const;

for (const { name, major, create, broken } of PACKAGES) {
  const client = aiClient({
    name,
    speaks: "messages",
    major,
    model: ({ url, key, model }) => create({ baseURL: `${url}/v1`, apiKey: key })(model),
  });
  proveClient(client, {
    failures: aiFailures(402),
    broken,
  });
}
