import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";

import { generatedDocs } from "../../../scripts/config-docs.ts";
import { configKeys, sectionNames } from "../../../src/config/keys.ts";
import { parseToml } from "../../../src/config/parse.ts";
import { configTemplate } from "../../../src/config/template.ts";
import { configOf, problemsOf, warningsOf } from "./load.ts";

const read = (path: string) => readFileSync(path, "utf8");
/** Without the formatter's padding, which follows from the content. */
const unpadded = (text: string) => text.replaceAll(/ +|-{3,}/g, " ");

test.each(Object.entries(generatedDocs()))(
  "%s is what `bun scripts/config-docs.ts` writes",
  (path, text) => {
    expect(unpadded(read(path))).toBe(unpadded(text));
  },
);

test.each(configKeys())("$key has a description that is a sentence", ({ key, description }) => {
  if (key !== "*") expect(description).toMatch(/^\S.*\.$/s);
});

test("the example config is right, and says nothing doubtful where its credential is set", () => {
  const text = read("config.example.toml");
  const given = { env: { OPENROUTER_API_KEY: "k" } };

  expect(problemsOf(text, given)).toEqual([]);
  expect(warningsOf(text, given)).toEqual([]);
});

describe("the commented config", () => {
  test("is right as it is and sets nothing", () => {
    expect(configOf(configTemplate())).toEqual(configOf(""));
  });

  test("has every section and every key", () => {
    const text = configTemplate();

    for (const section of sectionNames()) expect(text).toContain(`[${section}`);
    for (const { key } of configKeys()) {
      if (key !== "*") expect(text).toContain(`\n# ${key} = `);
    }
  });

  test("is right with every comment mark before a setting taken away", () => {
    const text = configTemplate().replaceAll(/^# (?=\[|[a-z_.]+ = |"[^"]+" = )/gm, "");
    const env = {
      NIM_KEY: "k",
      ROUTER_CLIENT_KEY: "c",
      OPENROUTER_API_KEY: "o",
      ALERT_URL: "https://alerts.example.org/hook",
      HF_TOKEN: "t",
    };
    const files = {
      "/run/secrets/router_admin_key": "a",
      "/etc/veriroute/cards.toml": "",
      "/run/secrets/ntfy_token": "t",
    };

    expect(problemsOf(text, { env, files })).toEqual([]);
    const { providers, pools, aliases } = configOf(text, { env, files });
    expect([Object.keys(providers), Object.keys(pools), Object.keys(aliases)]).toEqual([
      ["nim"],
      ["main"],
      ["claude-haiku-*"],
    ]);
  });

  test("has no line wider than a terminal of 100 columns", () => {
    expect(
      configTemplate()
        .split("\n")
        .filter((line) => line.length > 100),
    ).toEqual([]);
  });
});

test("the editor schema knows every key", () => {
  const schema = read("docs/veriroute.schema.json");

  for (const { key, path } of configKeys())
    if (key !== "*") expect(schema).toContain(`"${path.at(-1)}": {`);
});

describe("every key is read outside its schema, where its section is spoken of", () => {
  const sources = [...new Bun.Glob("**/*.ts").scanSync("src")]
    .filter((file) => !file.startsWith("config/schema") && !file.startsWith("config/keys"))
    .map((file) => read(`src/${file}`));

  // A word as common as `base` is read somewhere in any case.
  test.each(configKeys().filter(({ key }) => key !== "*"))(
    "$path",
    ({ key, path: [name = ""] }) => {
      const word = new RegExp(`\\b${key}\\b`);
      const section = new RegExp(`\\b${name.replace(/s$/, "s?")}`, "i");

      expect(sources.filter((text) => section.test(text) && word.test(text))).not.toBeEmpty();
    },
  );
});

test("the documentation parses as the TOML it shows", () => {
  const blocks = read("docs/configuration.md").matchAll(/```toml\n(.*?)```/gs);

  for (const [, text = ""] of blocks) expect(parseToml(text, "doc")).toMatchObject({ ok: true });
});
