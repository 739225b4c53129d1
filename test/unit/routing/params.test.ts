import { expect, test } from "bun:test";

import { layerParams } from "../../../src/routing/params.ts";

test("of six layers each beats those below it, the call all of them", () => {
  const names = ["card", "provider", "target", "lane", "profile", "call"];
  /** Layer n sets p0 to pn, so that the highest layer of pn is n. */
  const layers = names.map((name, at) =>
    Object.fromEntries(names.slice(0, names.length - at).map((_, n) => [`p${n + at}`, name])),
  );
  const call = layers.at(-1) ?? {};

  expect(layerParams([{ p0: "card", p1: "card" }, { p1: "provider" }], {})).toEqual({
    p0: "card",
    p1: "provider",
  });
  expect(layerParams(layers.slice(0, -1), call)).toEqual({
    p0: "card",
    p1: "provider",
    p2: "target",
    p3: "lane",
    p4: "profile",
  });
});

test.each<{ what: string; layers: object[]; call?: object; sent: object }>([
  { what: "no layers", layers: [], sent: {} },
  { what: "one layer", layers: [{ seed: 7 }], sent: { seed: 7 } },
  {
    what: "two spellings of the effort: the higher layer's",
    layers: [{ effort: "low" }, { reasoning_effort: "high" }],
    sent: { reasoning_effort: "high" },
  },
  {
    what: "two spellings of the cap: the higher layer's",
    layers: [{ max_completion_tokens: 9 }, { max_tokens: 5 }],
    sent: { max_tokens: 5 },
  },
  {
    what: "what the call says in the other spelling: nothing",
    layers: [{ seed: 1 }, { max_tokens: 5, effort: "low" }],
    call: { max_completion_tokens: 1, reasoning_effort: "high" },
    sent: { seed: 1 },
  },
  {
    what: "a null of the call: nothing, since it is an answer",
    layers: [{ seed: 1 }],
    call: { seed: null },
    sent: {},
  },
  {
    what: "values that are false or empty: themselves",
    layers: [
      { logprobs: true, stop: ["a"] },
      { logprobs: false, stop: [] },
    ],
    sent: { logprobs: false, stop: [] },
  },
])("with $what is sent", ({ layers, call = {}, sent }) => {
  expect(
    layerParams(
      layers.map((layer) => ({ ...layer })),
      call,
    ),
  ).toEqual({ ...sent });
});
