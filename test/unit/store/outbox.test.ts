import { expect, jest, test } from "bun:test";

import { createWaitingCalls } from "../../../src/store/client/calls.ts";
import { createOutbox } from "../../../src/store/client/outbox.ts";
import { createWriteQueue } from "../../../src/store/client/write-queue.ts";
import type { ToWorker } from "../../../src/store/worker-messages.ts";
import { failureOf } from "../../support/open-store.ts";

/** What was posted, shortened: `w3` for a batch of three, `c7` for the call with id 7. */
function createBench(rows = 1000) {
  const posted: string[] = [];
  const post = (message: ToWorker) => {
    if (message.kind === "write") posted.push(`w${message.batch.decisions.length}`);
    if (message.kind === "call") posted.push(`c${message.id}`);
  };
  const queue = createWriteQueue({ rows, characters: 1e6 });
  const calls = createWaitingCalls();
  const outbox = createOutbox({ queue, calls, post });
  let next = 0;
  const record = (count: number) => {
    for (let n = 0; n < count; n++) {
      queue.addDecision(String((next += 1)), "{}");
      outbox.rowAdded();
    }
  };
  const ask = () => {
    const answer = calls.add({ name: "get_decision", argument: "x" }, queue.entered());
    outbox.callAdded();
    return answer;
  };
  return { posted, record, ask, outbox, calls };
}

test("rows wait for company for a tenth of a second", () => {
  jest.useFakeTimers();
  try {
    const { posted, record } = createBench();
    record(3);
    jest.advanceTimersByTime(99);
    expect(posted).toEqual([]);
    jest.advanceTimersByTime(1);
    expect(posted).toEqual(["w3"]);
  } finally {
    jest.useRealTimers();
  }
});

test("a full batch leaves at once, the next one after the worker is done", () => {
  const { posted, record, outbox } = createBench();

  record(450);
  expect(posted).toEqual(["w200"]);
  outbox.batchWritten();
  expect(posted).toEqual(["w200", "w200"]);
  outbox.stop();
});

test("a call follows the rows before it and none that came later", () => {
  const { posted, record, ask, outbox } = createBench();

  record(450);
  void ask();
  record(100);
  outbox.batchWritten();
  expect(posted).toEqual(["w200", "w200"]);
  outbox.batchWritten();

  expect(posted).toEqual(["w200", "w200", "w150", "c1"]);
});

test("a call without rows before it leaves at once, beside a batch that is being written", () => {
  const { posted, record, ask } = createBench();

  record(200);
  void ask();

  expect(posted).toEqual(["w200", "c1"]);
});

test("rows that are dropped do not hold up a call for ever", () => {
  const { posted, record, ask, outbox } = createBench(300);

  record(400);
  void ask();
  record(500);
  outbox.batchWritten();

  expect(posted).toEqual(["w200", "w200", "c1"]);
});

test("answers reach their own call, refusals as errors", async () => {
  const { ask, calls } = createBench();
  const [first, second, third] = [ask(), ask(), ask()];

  calls.answered({ kind: "gave", id: 2, value: "{}" });
  calls.answered({ kind: "refused", id: 1, refusal: { kind: "locked", message: "later" } });
  calls.refuseAll({ kind: "closed", message: "over" });

  expect(await failureOf(first)).toMatchObject({ kind: "locked", message: "later" });
  expect(await second).toBe("{}");
  expect(await failureOf(third)).toMatchObject({ kind: "closed" });
});

test("more questions than a stuck worker should hold are refused", async () => {
  const { ask, calls } = createBench();
  const waiting = Array.from({ length: 1000 }, ask);

  expect(String(await failureOf(ask()))).toContain("too many questions");

  calls.refuseAll({ kind: "closed", message: "over" });
  expect(await Promise.allSettled(waiting)).toHaveLength(1000);
});
