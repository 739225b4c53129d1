import { expect, test } from "bun:test";

import { EMPTY_FLEET, type Fleet, NO_STREAKS } from "../../../../src/canary/ladder/state.ts";
import { createHostListing } from "../../../../src/control/canary/live/list-hosts.ts";
import { instanceOf } from "../../../support/canary/instances.ts";

const TARGET = { instance: "gw", model: "a/m" };

function known(host: string, is_present: boolean): Fleet {
  const endpoint = `gw:a/m@${host}`;
  const state = {
    ...NO_STREAKS,
    ...TARGET,
    endpoint,
    host,
    groups: ["gw:a/m"],
    is_present,
    is_production: true,
    suspended: null,
    level: 0,
    last_bad_at: null,
    has_recovered: false,
    is_reported: false,
    repeat_locale: null,
    last_fault: null,
    last_seen_at: 0,
  };
  return { ...EMPTY_FLEET, endpoints: new Map([[endpoint, state]]) };
}

/** The hosts that are found, and what is complained of, for one answer after the other. */
async function listed(
  answers: readonly (() => Response)[],
  fleet = EMPTY_FLEET,
  type = "openrouter",
) {
  const warnings: string[] = [];
  const asked: string[] = [];
  let at = 0;
  const list = createHostListing({
    registry: { get: () => instanceOf("gw", { type }) },
    identity: { version: "test", id: "this" },
    fetch: async (url) => {
      asked.push(new URL(url).pathname);
      return answers[at++]?.() ?? new Response(null, { status: 500 });
    },
    warnOnce: (message) => void warnings.push(message),
  });
  const found: (readonly string[] | null)[] = [];
  for (let n = 0; n < Math.max(1, answers.length); n++) {
    const hosts = await list(TARGET, fleet, new AbortController().signal);
    found.push(hosts?.map(({ host }) => host ?? "") ?? null);
  }
  return { found, warnings, asked };
}

const listing =
  (...tags: string[]) =>
  () =>
    Response.json({ data: { endpoints: tags.map((tag) => ({ tag, provider_name: tag })) } });
const broken = () => new Response("<html>", { headers: { "content-type": "text/html" } });

test("the hosts of a model are asked for below the instance's own address", async () => {
  const { found, asked } = await listed([listing("one", "two/fp8")]);

  expect(found).toEqual([["one", "two/fp8"]]);
  expect(asked).toEqual(["/v1/models/a/m/endpoints"]);
});

test.each<{ name: string; answer: () => Response }>([
  { name: "an error", answer: () => new Response(null, { status: 503 }) },
  { name: "no JSON", answer: broken },
  { name: "another form", answer: () => Response.json({ data: [] }) },
])("after $name the last good listing counts, and a person hears of it", async ({ answer }) => {
  const { found, warnings } = await listed([listing("one"), answer]);

  expect(found).toEqual([["one"], ["one"]]);
  expect(warnings.join()).toContain("could not be listed");
});

test("without any listing the hosts are those that the last process saw", async () => {
  expect((await listed([broken], known("old", true))).found).toEqual([["old"]]);
  expect((await listed([broken], known("gone", false))).found).toEqual([[]]);
});

test("a listing of none is believed", async () => {
  expect((await listed([listing("one"), listing()])).found).toEqual([["one"], []]);
});

test("a vendor without hosts is not asked", async () => {
  const { found, asked } = await listed([], EMPTY_FLEET, "openai");

  expect([found, asked]).toEqual([[null], []]);
});
