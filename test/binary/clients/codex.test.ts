import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";

import {
  type ClientFleet,
  type Endpoint,
  startClientFleet,
} from "../../support/clients/client-fleet.ts";
import { runAgent } from "../../support/clients/run-agent.ts";

const PROGRAM = join(import.meta.dir, "../../../node_modules/@openai/codex/bin/codex.js");

const config = ({ url, model }: Endpoint) => `model = "${model}"
model_provider = "veriroute"

[model_providers.veriroute]
name = "veriroute"
base_url = "${url}/v1"
env_key = "VERIROUTE_KEY"
wire_api = "responses"
`;

function runCodex(endpoint: Endpoint, ...more: readonly string[]) {
  const unattended = ["--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox"];
  return runAgent({
    command: [process.execPath, PROGRAM, "exec", ...unattended, ...more, "Run the command."],
    env: { VERIROUTE_KEY: endpoint.key, CODEX_HOME: "$HOME/codex" },
    files: { "codex/config.toml": config(endpoint) },
  });
}

describe("codex", () => {
  let fleet: ClientFleet;
  beforeAll(async () => {
    fleet = await startClientFleet(["hello", "agent", "cuts", "e402"]);
  });
  afterAll(() => fleet[Symbol.asyncDispose]());

  describe.each([{ wire: "chat" }, { wire: "messages" }, { wire: "responses" }] as const)(
    "on a $wire target",
    ({ wire }) => {
      test("answers a prompt", async () => {
        const { code, output } = await runCodex(fleet.endpoint(wire, "hello"));

        expect(output).toContain(`Hello from ${wire}, naïve — ✓`);
        expect(code).toBe(0);
      });

      test("runs a command and tells what it printed", async () => {
        const { code, output } = await runCodex(fleet.endpoint(wire, "agent"));

        expect(output).toMatch(/The tool said: [^]*veriroute-42/);
        expect(code).toBe(0);
      });

      test("does not ask over and over when a stream is cut", async () => {
        const endpoint = fleet.endpoint(wire, "cuts");

        const { code } = await runCodex(endpoint);

        // It opens a stream six times, each with up to five requests where the answer is a 5xx.
        expect(await fleet.requestsFor(endpoint)).toBeLessThanOrEqual(30);
        expect(code).toBe(1);
      });

      test("asks once where there is no credit", async () => {
        const endpoint = fleet.endpoint(wire, "e402");

        const { code } = await runCodex(endpoint);

        expect(await fleet.requestsFor(endpoint)).toBe(1);
        expect(code).toBe(1);
      });
    },
  );
});
