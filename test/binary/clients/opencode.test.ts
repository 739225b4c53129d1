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
  { npm: "@ai-sdk/openai-compatible", speaks: "chat" },
  { npm: "@ai-sdk/anthropic", speaks: "Messages" },
  { npm: "@ai-sdk/openai", speaks: "Responses" },
] as const;

function runOpencode({ url, key, model }: Endpoint, npm: string) {
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
  });
}

describe.each(PACKAGES)("opencode speaking $speaks", ({ npm }) => {
  let fleet: ClientFleet;
  beforeAll(async () => {
    fleet = await startClientFleet(["hello", "agent", "cuts"]);
  });
  afterAll(() => fleet[Symbol.asyncDispose]());

  describe.each([{ wire: "chat" }, { wire: "messages" }, { wire: "responses" }] as const)(
    "on a $wire target",
    ({ wire }) => {
      test("answers a prompt", async () => {
        const { code, output } = await runOpencode(fleet.endpoint(wire, "hello"), npm);

        expect(output).toContain(`Hello from ${wire}, naïve — ✓`);
        expect(code).toBe(0);
      });

      test("runs a command and tells what it printed", async () => {
        const { code, output } = await runOpencode(fleet.endpoint(wire, "agent"), npm);

        expect(output).toContain("The tool said: veriroute-42");
        expect(code).toBe(0);
      });

      test("does not ask over and over when a stream is cut", async () => {
        const endpoint = fleet.endpoint(wire, "cuts");

        const { code } = await runOpencode(endpoint, npm);

        // One for the answer, one for the title.
        expect(await fleet.requestsFor(endpoint)).toBeLessThanOrEqual(2);
        expect(code).not.toBeNull();
      });
    },
  );
});
