import { expect, test } from "bun:test";

import { watchProblems, type WatchSettings } from "../../../src/canary/watch-problems.ts";

const SOUND: WatchSettings = {
  groups: [{ name: "pool:main", targets: [{ instance: "nim", model: "q" }] }],
  locales: ["pt-BR", "ja"],
  controls: ["or:a/m@azure", "nim:q"],
};

test("what can be watched has no problems", () => {
  expect(watchProblems(SOUND, ["or", "nim"])).toEqual([]);
});

test.each<{
  what: string;
  settings: Partial<WatchSettings>;
  setting: string;
  at: number | null;
  says: string;
}>([
  {
    what: "a pool without targets",
    settings: { groups: [{ name: "pool:empty", targets: [] }] },
    setting: "groups",
    at: 0,
    says: "`pool:empty` has no targets",
  },
  {
    what: "a locale without prompts",
    settings: { locales: ["pt", "eu"] },
    setting: "locales",
    at: 1,
    says: "there are no prompts in `eu`",
  },
  {
    what: "no locale",
    settings: { locales: [] },
    setting: "locales",
    at: null,
    says: "take some of",
  },
  {
    what: "a control at an instance that is none",
    settings: { controls: ["opr:a/m"] },
    setting: "controls",
    at: 0,
    says: "did you mean `or`?",
  },
  {
    what: "a control that names no endpoint",
    settings: { controls: ["azure"] },
    setting: "controls",
    at: 0,
    says: "write `instance:model` or `instance:model@host`",
  },
])("$what is a problem that says what to do", ({ settings, setting, at, says }) => {
  expect<object>(watchProblems({ ...SOUND, ...settings }, ["or", "nim"])).toEqual([
    { setting, at, message: expect.stringContaining(says) },
  ]);
});
