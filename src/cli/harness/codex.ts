import { join } from "node:path";

import type { Harness } from "./harness.ts";
import { KEY_VARIABLE } from "./harness.ts";
import { inHome } from "./places.ts";
import type { RouterFacts } from "./router-facts.ts";

const NOTE = "# The profile `veriroute` of Codex; made by `veriroute setup codex`.";

export const codex: Harness = {
  id: "codex",
  title: "Codex",
  snippet: profile,
  start: () => 'codex exec -p veriroute "Say hello"',
  file: {
    // Codex lays `NAME.config.toml` over its config with `-p NAME`: nobody's file has to be edited.
    path(env) {
      const set = env["CODEX_HOME"] ?? "";
      const directory = set === "" ? inHome(env, ".codex") : set;
      return directory === null ? null : join(directory, "veriroute.config.toml");
    },
    add(before, facts, model) {
      if (before !== null && !before.startsWith(NOTE)) return NOT_OURS;
      return { ok: true, after: `${NOTE}\n${profile(facts, model)}\n` };
    },
    remove: (before) => (before.startsWith(NOTE) ? { ok: true, after: null } : NOT_OURS),
  },
};

const NOT_OURS = {
  ok: false,
  problem: "was not made by `veriroute setup codex`: move it away, or edit it yourself",
} as const;

function profile({ url, needs_key }: RouterFacts, model: string): string {
  return [
    `model = ${JSON.stringify(model)}`,
    'model_provider = "veriroute"',
    "",
    "[model_providers.veriroute]",
    'name = "veriroute"',
    `base_url = ${JSON.stringify(`${url}/v1`)}`,
    'wire_api = "responses"',
    ...(needs_key ? [`env_key = "${KEY_VARIABLE}"`] : []),
  ].join("\n");
}
