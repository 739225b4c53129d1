import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";

import { binaryPath } from "../../support/binary.ts";
import { type ClientFleet, startClientFleet } from "../../support/clients/client-fleet.ts";
import { runAgent } from "../../support/clients/run-agent.ts";

const MODULES = join(import.meta.dir, "../../../node_modules");

let fleet: ClientFleet;
beforeAll(async () => {
  fleet = await startClientFleet(["agent"], '[aliases]\nworker = "chat-agent:agent"\n');
});
afterAll(() => fleet[Symbol.asyncDispose]());

const TASK = '"Run the command."';

/** Each program started as `setup` says, after `setup` has written its file. */
const PROGRAMS = [
  {
    name: "opencode",
    start: `"${MODULES}/.bin/opencode" run -m veriroute/worker ${TASK}`,
    env: { OPENCODE_DISABLE_MODELS_FETCH: "1", OPENCODE_PERMISSION: '{"bash":"allow"}' },
  },
  {
    name: "codex",
    start:
      `"${process.execPath}" "${MODULES}/@openai/codex/bin/codex.js" exec -p veriroute ` +
      `--skip-git-repo-check --dangerously-bypass-approvals-and-sandbox ${TASK}`,
    env: {},
  },
];

test.each(PROGRAMS)("$name works with what `setup` wrote for it", async ({ name, start, env }) => {
  const { url, key } = fleet.endpoint("chat", "agent");
  const setup = `"${binaryPath()}" setup ${name} --write --model worker --url ${url}`;

  const { code, output } = await runAgent({
    command: ["sh", "-c", `${setup} && mkdir -p "$CODEX_HOME" && ${start}`],
    env: { ...env, VERIROUTE_KEY: key, CODEX_HOME: "$HOME/.codex" },
    files: {},
  });

  expect(output).toMatch(/The tool said: [^]*veriroute-42/);
  expect(code).toBe(0);
});
