import { expect, test } from "bun:test";

import { catalogDocs } from "../../../scripts/catalog-docs.ts";
import { readCards } from "../../../src/config/card-file.ts";

test("docs/catalog.md is what `bun scripts/catalog-docs.ts` writes", async () => {
  expect(await Bun.file("docs/catalog.md").text()).toBe(catalogDocs());
});

test("the cards it shows as an example are right", () => {
  const [, toml = ""] = /```toml\n(.*?)```/s.exec(catalogDocs()) ?? [];

  const { cards, problems } = readCards("cards.toml", {
    env: {},
    directory: "/",
    instances: ["nim"],
    readFile: () => ({ ok: true, text: toml, mode: 0o600 }),
  });

  expect(problems).toEqual([]);
  expect([...cards.keys()]).toEqual(["nim:qwen3-30b", "openai:gpt-5.4"]);
});
