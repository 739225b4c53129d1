import { expect, test } from "bun:test";

import { printBanner } from "../../../src/cli/server/banner.ts";
import { systemShell } from "../../../src/cli/terminal/shell.ts";
import { startRouter } from "../../support/router.ts";

const PATHS = { state_dir: "/state", config_file: null };

test.each([
  { keys: "no key", config: "", key: "unused" },
  {
    keys: "a key",
    config: '[server]\nclient_key = "client-secret-1"\nadmin_key = "admin-secret-1"\n',
    key: "$VERIROUTE_KEY",
  },
])("a router that wants $keys says once how clients reach it, and no key", async (row) => {
  await using router = await startRouter({ config: row.config });
  const lines: string[] = [];
  const shell = { ...systemShell(), color: false, print: (text: string) => void lines.push(text) };

  await printBanner(router.app, { paths: PATHS, notice: null }, shell);

  const said = lines.join("\n");
  const line = `export OPENAI_BASE_URL="${router.url}/v1" OPENAI_API_KEY="${row.key}"`;
  expect(said.split(line)).toHaveLength(2);
  expect(said).not.toContain("secret-1");
});
