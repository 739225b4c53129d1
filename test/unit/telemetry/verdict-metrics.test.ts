import { describe, expect, test } from "bun:test";

import { createMetrics } from "../../../src/telemetry/metrics.ts";
import { attemptEvent, requestEvent } from "../../support/events.ts";

const HOUR = 3_600_000;
const NOW = 1_764_460_800_000;

function metricsAt() {
  let now = NOW;
  const metrics = createMetrics({
    now: () => now,
    version: "0",
    inFlight: () => 0,
    store: () => ({ queued: 0, dropped: 0, size_bytes: 0, healthy: true }),
    runtimes: () => [],
    sinkFailures: () => ({}),
  });
  const value = async (name: string) => {
    const lines = (await metrics.text()).split("\n");
    return lines
      .filter((line) => line.startsWith(`${name}{`))
      .map((line) => line.slice(name.length));
  };
  return { ...metrics, move: (ms: number) => void (now += ms), value };
}

const mangled = (instance: string, model_attributable: 0 | 1 = 1) =>
  attemptEvent(
    {
      verification: {
        verdict: "mangled",
        signature: "mojibake",
        detail: null,
        model_attributable,
        trips: model_attributable === 1,
        scope: "provider",
      },
    },
    instance,
  );

describe("mangled answers", () => {
  test("are counted by instance, for a day", async () => {
    const { sink, move, value } = metricsAt();
    const name = "veriroute_mangled_output_warnings";

    for (const instance of ["a", "a", "b"]) sink.record(mangled(instance));
    const first = await value(name);
    move(10 * HOUR);
    sink.record(mangled("a"));
    const later = await value(name);
    move(20 * HOUR);

    expect([first, later, await value(name)]).toEqual([
      ['{instance="a"} 2', '{instance="b"} 1'],
      ['{instance="a"} 3', '{instance="b"} 1'],
      ['{instance="a"} 1', '{instance="b"} 0'],
    ]);
  });

  test("of a process before this one are still counted", async () => {
    const { sink, recall, value } = metricsAt();

    recall([{ instance: "a", hour: NOW / HOUR - 5, count: 7 }]);
    sink.record(mangled("a"));

    expect(await value("veriroute_mangled_output_warnings")).toEqual(['{instance="a"} 8']);
  });

  test("that the prompt may have brought along are verdicts, but no warnings", async () => {
    const { sink, value } = metricsAt();

    sink.record(mangled("a", 0));

    expect(await value("veriroute_mangled_output_warnings")).toEqual([]);
    expect(await value("veriroute_verdicts_total")).toEqual([
      '{instance="a",verdict="mangled",signature="mojibake"} 1',
    ]);
  });
});

test("a rescue is what failed before another target answered, and nothing else", async () => {
  const { sink, value } = metricsAt();
  const { attempt } = attemptEvent();
  const attempts = [
    { ...attempt, target: "a:m", kind: "malformed_empty" },
    { ...attempt, target: "b:m:free", kind: "server" },
    { ...attempt, target: "c:m", kind: "ok" },
  ];

  sink.record(requestEvent({ attempts, served: "c:m", outcome: "ok" }));
  sink.record(requestEvent({ attempts: attempts.slice(0, 2), served: null, outcome: "failed" }));
  // The second one was no better than the first, which the client then got.
  sink.record(requestEvent({ attempts, served: "a:m", outcome: "ok" }));

  expect(await value("veriroute_rescues_total")).toEqual([
    '{instance="a",kind="malformed_empty"} 1',
    '{instance="b",kind="server"} 1',
  ]);
});
