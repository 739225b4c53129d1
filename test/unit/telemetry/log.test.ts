import { expect, test } from "bun:test";
import { closeSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { createLog, openLogDestination } from "../../../src/telemetry/log.ts";
import { createRequestLog } from "../../../src/telemetry/request-log.ts";
import { attempt } from "../../support/decisions.ts";
import { attemptEvent, requestEvent } from "../../support/events.ts";
import { tempDir } from "../../support/temp-dir.ts";

/** A log whose lines are at hand, without their times. */
function createTestLog() {
  const written: string[] = [];
  const log = createLog({
    level: "info",
    destination: { write: (line) => void written.push(line) },
  });
  const lines = () =>
    written.map((line) => {
      const { time, ...rest }: Record<string, unknown> = JSON.parse(line);
      expect(time).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
      return rest;
    });
  return { log, lines };
}

test("a request is one line, at its end, attempts are none", () => {
  const { log, lines } = createTestLog();
  const sink = createRequestLog(log);
  const attempts = [attempt({ kind: "server", status: 500 }), attempt({ n: 2, target: "b:y" })];

  sink.record(attemptEvent());
  sink.record(requestEvent({ id: "decision-1", attempts }));

  expect(lines()).toEqual([
    {
      level: "info",
      request_id: "request-1",
      decision_id: "decision-1",
      dialect: "chat",
      stream: false,
      outcome: "ok",
      status: 200,
      error_code: null,
      target: "nim:qwen3-30b",
      pool: "main",
      lane: null,
      attempts: 2,
      kinds: ["server", "ok"],
      duration_ms: 412.5,
      ttft_ms: 80.25,
      input_tokens: 12,
      output_tokens: 34,
      cost_usd: 0.00017,
      key_id: null,
      msg: "request",
    },
  ]);
});

test("what the client asked for stays out of the log", () => {
  const { log, lines } = createTestLog();

  createRequestLog(log).record(requestEvent({ asked: "marker-4711" }));

  expect(lines()).toHaveLength(1);
  expect(JSON.stringify(lines())).not.toContain("marker-4711");
});

test.each([
  "authorization",
  "x-api-key",
  "api_key",
  "client_key",
  "admin_key",
  "credential",
  "cookie",
  "set-cookie",
  "body",
  "messages",
  "prompt",
  "completion",
])("a field `%s` is blanked at the top of a line and one level below", (field) => {
  const { log, lines } = createTestLog();

  log.info({ [field]: "marker-4711", headers: { [field]: "marker-4711", host: "a" } }, "hello");

  expect(lines()).toEqual([
    {
      level: "info",
      [field]: "[redacted]",
      headers: { [field]: "[redacted]", host: "a" },
      msg: "hello",
    },
  ]);
});

test("the level may change at any time, for loggers made before as well", () => {
  const { log, lines } = createTestLog();
  const child = log.child({ part: "store" });

  for (const level of ["info", "debug", "silent", "warn"]) {
    log.level = level;
    log.debug(`${level} debug`);
    child.debug(`${level} debug of child`);
    child.warn(`${level} warn of child`);
  }

  expect(lines().map(({ msg }) => msg)).toEqual([
    "info warn of child",
    "debug debug",
    "debug debug of child",
    "debug warn of child",
    "warn warn of child",
  ]);
});

test("lines are written beside the event loop, the last ones before the end", async () => {
  using folder = tempDir();
  const fd = openSync(folder.file("log"), "w");
  const destination = openLogDestination(fd);
  const log = createLog({ level: "info", destination });

  for (let n = 0; n < 100; n++) log.info({ n }, "line");
  await destination.flush();

  const numbers = readFileSync(folder.file("log"), "utf8")
    .trim()
    .split("\n")
    .map((line) => Number(/"n":(\d+)/.exec(line)?.[1]));
  expect(numbers).toEqual(Array.from({ length: 100 }, (_, n) => n));
  closeSync(fd);
});

const plain = (msg: string) => ({ level: "info", time: expect.any(String), msg });

test("a line that is made later keeps its place, its form and the time of its event", async () => {
  using folder = tempDir();
  const fd = openSync(folder.file("log"), "w");
  const destination = openLogDestination(fd);
  const log = createLog({ level: "info", destination });
  const sink = createRequestLog(log);
  const atOnce = createTestLog();
  const event = requestEvent();
  createRequestLog(atOnce.log).record(event);

  log.info("before");
  for (let n = 0; n < 300; n++) sink.record({ ...event, at: n });
  log.info("after");
  sink.record({ ...event, at: 300 });
  await destination.flush();
  sink.record({ ...event, at: 301 });
  await destination.flush();

  const lines: Record<string, unknown>[] = readFileSync(folder.file("log"), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  const [wanted] = atOnce.lines();
  const request = (n: number) => ({ ...wanted, time: new Date(n).toISOString() });
  const numbers = Array.from({ length: 300 }, (_, n) => n);
  expect(lines).toEqual([
    plain("before"),
    ...numbers.map(request),
    plain("after"),
    request(300),
    request(301),
  ]);
  expect(Object.keys(lines[1] ?? {})).toEqual([
    "level",
    "time",
    ...Object.keys(wanted ?? {}).slice(1),
  ]);
  closeSync(fd);
});

test("a line that is made later is written without anybody asking for it", async () => {
  using folder = tempDir();
  const fd = openSync(folder.file("log"), "w");
  const { promise: made, resolve } = Promise.withResolvers<void>();
  const destination = openLogDestination(fd);

  destination.writeLater(() => {
    resolve();
    return "line\n";
  });
  await made;
  await destination.flush();

  expect(readFileSync(folder.file("log"), "utf8")).toBe("line\n");
  closeSync(fd);
});

test("requests below the level of the log are no lines, also where lines are made later", async () => {
  using folder = tempDir();
  const fd = openSync(folder.file("log"), "w");
  const destination = openLogDestination(fd);
  const log = createLog({ level: "info", destination });
  const sink = createRequestLog(log);

  log.level = "warn";
  sink.record(requestEvent());
  log.level = "info";
  log.info("end");
  await destination.flush();

  expect(readFileSync(folder.file("log"), "utf8").trim().split("\n")).toHaveLength(1);
  closeSync(fd);
});

test.each([
  { reader: "goes away", close: true },
  { reader: "stops reading", close: false },
])(
  "a reader that $reader neither ends the process nor makes it wait",
  async ({ close }) => {
    const child = Bun.spawn(
      [process.execPath, join(import.meta.dir, "../../support/log-writer.ts")],
      { env: process.env, stdout: "pipe", stderr: "pipe" },
    );
    const reader = child.stderr.getReader();
    await reader.read();
    if (close) await reader.cancel();

    expect(await child.stdout.text()).toBe("alive\n");
    if (!close) await reader.cancel();
    expect(await child.exited).toBe(0);
  },
  20_000,
);
