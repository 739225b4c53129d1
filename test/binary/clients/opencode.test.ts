import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";

import {
  type ClientFleet,
  type Endpoint,
  startClientFleet,
} from "../../support/clients/client-fleet.ts";
import { runAgent } from "../../support/clients/run-agent.ts";

const PROGRAM = join(import.meta.dir, "../../../node_modules/.bin/opencode");

/** The packages through which opencode speaks, by dialect. */
const PACKAGES = [
  { npm: "@ai-sdk/openai-compatible", speaks: "chat", requests: 2 },
  { npm: "@ai-sdk/anthropic", speaks: "Messages", requests: 2 },
  // A stream that fails is a 500 to this one, which opencode tries again after 2, 4, 8, … seconds.
  { npm: "@ai-sdk/openai", speaks: "Responses", requests: 5 },
] as const;

function runOpencode({ url, key, model }: Endpoint, npm: string, limit_ms = 50_000) {
  const provider = {
    npm,
    name: "veriroute",
    options: { baseURL: `${url}/v1`, apiKey: "{env:VERIROUTE_KEY}" },
    models: { [model]: { name: model, limit: { context: 128_000, output: 8192 } } },
  };
  const config = {
    provider: { veriroute: provider },
    small_model: `veriroute/${model}`,
    autoupdate: false,
    share: "disabled",
    permission: { bash: "allow" },
  };
  return runAgent({
    command: [PROGRAM, "run", "-m", `veriroute/${model}`, "Run the command."],
    env: {
      VERIROUTE_KEY: key,
      OPENCODE_CONFIG: "$HOME/opencode.json",
      OPENCODE_DISABLE_MODELS_FETCH: "1",
    },
    files: { "opencode.json": JSON.stringify(config) },
    limit_ms,
  });
}

describe.each(PACKAGES)("opencode speaking $speaks", ({ npm, requests }) => {
  let fleet: ClientFleet;
  beforeAll(async () => {
    fleet = await startClientFleet(["agent", "cuts"]);
  });
  afterAll(() => fleet[Symbol.asyncDispose]());

  describe.each([{ wire: "chat" }, { wire: "messages" }, { wire: "responses" }] as const)(
    "on a $wire target",
    ({ wire }) => {
      test("runs a command and tells what it printed", async () => {
        const { code, output } = await runOpencode(fleet.endpoint(wire, "agent"), npm);

        expect(output).toContain("The tool said: veriroute-42");
        expect(code).toBe(0);
      });

      test("does not ask over and over when a stream is cut", async () => {
        const endpoint = fleet.endpoint(wire, "cuts");

        await runOpencode(endpoint, npm, 15_000);

        // One of them is for the title.
        expect(await fleet.requestsFor(endpoint)).toBeLessThanOrEqual(requests);
      });
    },
  );
});
