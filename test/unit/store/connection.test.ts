import { expect, test } from "bun:test";

import { createConnection } from "../../../src/store/client/connection.ts";
import type { ToWorker } from "../../../src/store/worker-messages.ts";
import { failureOf } from "../../support/open-store.ts";
import { storedState } from "../../support/stored-state.ts";

const NOTHING = storedState();
const CHANGED = storedState({ overrides: { "log.level": '"debug"' } });

function connect(problem: string | null = null) {
  const posted: ToWorker[] = [];
  const logged: string[] = [];
  const note = (_fields: object, message: string) => void logged.push(message);
  const connection = createConnection({
    opened: { kind: "opened", state: NOTHING, size_bytes: 4096, problem },
    post: (message) => void posted.push(message),
    log: { warn: note, error: note },
    limits: { rows: 10, characters: 1000 },
  });
  return { ...connection, posted, logged };
}
const ask = { name: "get_decision", argument: "x" } as const;
const WELL = { queued: 0, dropped: 0, size_bytes: 4096, healthy: true, problem: null };

test("a worker that is gone refuses all that waits and all that comes, and says so", async () => {
  const { call, record, broken, stats, logged } = connect();
  const waiting = call(ask);

  broken("the worker failed: out of memory");
  record((queue) => queue.addDecision("a", "{}"));

  const refusal = { kind: "failed", message: "the worker failed: out of memory" };
  expect(await failureOf(waiting)).toMatchObject(refusal);
  expect(await failureOf(call(ask))).toMatchObject(refusal);
  expect(stats()).toEqual({ ...WELL, dropped: 1, healthy: false, problem: refusal.message });
  expect(logged).toEqual(["decisions are not stored: the worker failed: out of memory"]);
});

test.each([
  { kind: "full", healthy: true },
  { kind: "locked", healthy: true },
  { kind: "damaged", healthy: false },
  { kind: "disk", healthy: false },
  { kind: "unwritable", healthy: false },
] as const)("trouble of kind $kind is told, and over when writing works", ({ kind, healthy }) => {
  const { receive, stats, logged } = connect();

  receive({ kind: "trouble", refusal: { kind, message: "why" } });
  receive({ kind: "written", dropped: 7 });
  expect(stats()).toEqual({ ...WELL, dropped: 7, healthy, problem: "why" });
  receive({ kind: "trouble", refusal: null });

  expect(stats()).toEqual({ ...WELL, dropped: 7 });
  expect(logged).toEqual(["decisions are not stored: why", "decisions are stored again"]);
});

test("a database that replaced a damaged one stays a problem, also after other trouble", () => {
  const { receive, stats } = connect("it was damaged");

  receive({ kind: "trouble", refusal: { kind: "full", message: "why" } });
  receive({ kind: "trouble", refusal: null });

  expect(stats()).toEqual({ ...WELL, healthy: false, problem: "it was damaged" });
});

test("every listener hears of a change, also after one that throws", () => {
  const { receive, onStateChange, state, logged } = connect();
  const heard: unknown[] = [];
  onStateChange(() => {
    throw new Error("no");
  });
  onStateChange((changed) => heard.push(changed));

  receive({ kind: "state", state: CHANGED });

  expect(heard).toEqual([CHANGED]);
  expect(state()).toEqual(CHANGED);
  expect(logged).toEqual(["a change of keys or settings could not be applied"]);
});

test("after sealing, what waits still leaves and nothing is added", async () => {
  const { call, record, seal, posted, receive, stats } = connect();
  record((queue) => queue.addDecision("a", "{}"));
  const waiting = call(ask);

  seal({ kind: "closed", message: "over" });
  record((queue) => queue.addDecision("b", "{}"));
  receive({ kind: "gave", id: 1, value: "{}" });

  expect(posted.map(({ kind }) => kind)).toEqual(["write", "call"]);
  expect(await waiting).toBe("{}");
  expect(await failureOf(call(ask))).toMatchObject({ kind: "closed" });
  expect(stats().dropped).toBe(1);
});
