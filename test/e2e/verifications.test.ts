import { describe, expect, test } from "bun:test";

import type { StoredVerification } from "../../src/store/store.ts";
import { type Behaviour, fine, type Fleet, startFleet } from "../support/behaving-fleet.ts";
import { completion, streamOf } from "../support/scripted-upstream.ts";

const empty: Behaviour = (wire, stream) => {
  if (!stream) return wire.json(completion(""));
  wire.sse({ "content-type": "text/event-stream; charset=utf-8" });
  wire.write(streamOf());
  wire.end();
};

async function list({ router }: Fleet, query = ""): Promise<readonly StoredVerification[]> {
  const response = await router.get(`/admin/v1/verifications${query}`);
  return JSON.parse(await response.text()).items;
}

describe("an attempt whose answer a signature hit", () => {
  test.each([{ stream: false }, { stream: true }])(
    "leaves a row without any text, stream: $stream",
    async ({ stream }) => {
      await using fleet = await startFleet({ a: empty, b: fine });

      const { decision } = await fleet.ask({ stream });

      expect(await list(fleet)).toEqual([
        {
          at: fleet.clock.now(),
          decision_id: decision.id,
          n: 1,
          instance: "a",
          target: "a:m",
          kind: "structural",
          verdict: "malformed",
          signature: "empty_200",
          detail: decision.attempts[0]?.verification?.detail ?? null,
          model_attributable: 1,
          trips: true,
          scope: "target",
          applied_at: fleet.clock.now(),
        },
      ]);
      expect(decision.attempts[0]?.verification).toMatchObject({
        verdict: "malformed",
        signature: "empty_200",
        model_attributable: 1,
        trips: true,
        scope: "target",
      });
    },
  );

  test("shows whether the trip rule counted it: who repeats a prompt is heard once", async () => {
    await using fleet = await startFleet({ a: empty, b: fine });

    await fleet.ask();
    await fleet.ask();

    const rows = await list(fleet);
    expect(rows.map(({ applied_at }) => applied_at)).toEqual([null, fleet.clock.now()]);
  });

  test("a clean answer leaves its verdict in the decision, and no row", async () => {
    await using fleet = await startFleet({ a: fine });

    const { decision } = await fleet.ask();

    expect(decision.attempts[0]?.verification).toMatchObject({ verdict: "ok", signature: null });
    expect(await list(fleet)).toEqual([]);
  });

  test("embeddings are not judged", async () => {
    await using fleet = await startFleet({
      a: (wire) => wire.json({ object: "list", data: [{ index: 0, embedding: [1] }] }),
    });

    const response = await fleet.router.post("/v1/embeddings", { model: "a:m", input: "x" });
    const id = response.headers.get("x-veriroute-decision");

    expect(await fleet.router.admin(`/admin/v1/decisions/${id}`)).toMatchObject({
      attempts: [{ kind: "ok", verification: null }],
    });
  });
});

test.each<{ query: string; count: number }>([
  { query: "?instance=a", count: 3 },
  { query: "?target=a:m", count: 3 },
  { query: "?instance=b", count: 0 },
  { query: "?verdict=malformed&signature=empty_200", count: 3 },
  { query: "?verdict=mangled", count: 0 },
  { query: "?attributable=1", count: 3 },
  { query: "?attributable=0", count: 0 },
  { query: "?from=1764460861000", count: 2 },
  { query: "?to=1764460861000", count: 1 },
  { query: "?limit=2", count: 2 },
])("the list knows the filter $query", async ({ query, count }) => {
  await using fleet = await startFleet({ a: empty, b: fine });
  for (let n = 0; n < 3; n++) {
    fleet.clock.move(60_000);
    await fleet.ask();
  }

  expect(await list(fleet, query)).toHaveLength(count);
});

test("the list pages from the newest to the oldest", async () => {
  await using fleet = await startFleet({ a: empty, b: fine });
  const asked: string[] = [];
  for (let n = 0; n < 5; n++) asked.unshift((await fleet.ask()).decision.id);

  const seen: string[] = [];
  let cursor: string | null = "";
  while (cursor !== null) {
    const query: string = cursor === "" ? "" : `&cursor=${cursor}`;
    const response = await fleet.router.get(`/admin/v1/verifications?limit=2${query}`);
    const page: { items: StoredVerification[]; next: string | null } = JSON.parse(
      await response.text(),
    );
    seen.push(...page.items.map(({ decision_id }) => decision_id));
    cursor = page.next;
  }

  expect(seen).toEqual(asked);
});

test.each<{ query: string; says: string }>([
  { query: "?from=yesterday", says: "`from` must be epoch milliseconds or RFC 3339" },
  { query: "?attributable=2", says: "attributable" },
  { query: "?cursor=x", says: "cursor" },
  { query: "?limit=0", says: "limit" },
])("a wrong $query is refused", async ({ query, says }) => {
  await using fleet = await startFleet({ a: fine });

  const response = await fleet.router.get(`/admin/v1/verifications${query}`);

  expect(response.status).toBe(400);
  expect(await response.text()).toContain(says);
});

test("verdicts go with the decisions they are about", async () => {
  await using fleet = await startFleet({ a: empty, b: fine });
  await fleet.ask();
  fleet.clock.move(31 * 24 * 3_600_000);
  await fleet.ask();

  await fleet.router.post("/admin/v1/store/prune", {});

  expect(await list(fleet)).toHaveLength(1);
});

describe("metrics", () => {
  test("count verdicts by signature, rescues, trips, and who was passed over", async () => {
    await using fleet = await startFleet({ a: empty, b: fine });
    for (let n = 0; n < 6; n++) {
      await fleet.ask({ more: { messages: [{ role: "user", content: `question ${n}` }] } });
    }

    const text = await (await fleet.router.get("/metrics")).text();

    for (const line of [
      'veriroute_verdicts_total{instance="a",verdict="malformed",signature="empty_200"} 4',
      'veriroute_verdicts_total{instance="b",verdict="ok",signature="none"} 6',
      'veriroute_rescues_total{instance="a",kind="malformed_empty"} 4',
      'veriroute_trips_total{scope="target",cause="signature:empty_200"} 1',
      'veriroute_skips_total{instance="a",code="breaker_open"} 2',
    ]) {
      expect(text).toContain(line);
    }
  });
});

test("a provider shows what its latest good answer said of its encoding", async () => {
  await using fleet = await startFleet({ a: fine });
  const answers = async () => {
    const provider = await (await fleet.router.get("/admin/v1/providers/a")).text();
    return JSON.parse(provider).answers;
  };

  const before = await answers();
  await fleet.ask();
  const json = await answers();
  fleet.set("a", (wire) => {
    wire.sse({ "content-type": "Text/Event-Stream; Charset=UTF-8" });
    wire.write(streamOf("hi"));
    wire.end();
  });
  await fleet.ask({ stream: true });
  const declared = await answers();
  fleet.set("a", (wire) => wire.json({ error: { message: "no" } }, 400, { "content-type": "x/y" }));
  await fleet.ask();

  const at = fleet.clock.now();
  expect([before, json, declared, await answers()]).toEqual([
    null,
    { content_type: "application/json", charset_declared: false, at },
    { content_type: "text/event-stream", charset_declared: true, at },
    { content_type: "text/event-stream", charset_declared: true, at },
  ]);
});
