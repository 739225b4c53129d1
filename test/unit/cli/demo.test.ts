import { describe, expect, test } from "bun:test";

import type { FleetFault } from "../../../src/cli/demo/fleet.ts";
import { createNarrator, printReport } from "../../../src/cli/demo/narrator.ts";
import type { Benched } from "../../../src/cli/demo/report.ts";
import { runDemo } from "../../../src/cli/demo/scenario.ts";
import { createClient, type Sent } from "../../../src/cli/demo/traffic.ts";

const BENCH_MS = 10_000;

/** A router of a few lines: the pool in order, errors bench, empties and silence are rescued. */
function stage() {
  const faults = new Map<string, FleetFault>();
  const benches = new Map<string, number>();
  const lines: string[] = [];
  let now = 0;
  let calls = 0;
  const answer = (): Sent => {
    let attempts = 0;
    for (const instance of ["alpha", "beta", "gamma"]) {
      if ((benches.get(instance) ?? 0) > now) continue;
      attempts++;
      const fault = faults.get(instance)?.model;
      if (fault === undefined || (fault === "empty" && ++calls % 2 === 0)) {
        return { ok: true, attempts, served: instance, decision_id: `decision-${now}` };
      }
      if (fault !== "empty") benches.set(instance, now + BENCH_MS);
    }
    return { ok: false, attempts, served: null, decision_id: null };
  };
  const benched = async (): Promise<Benched[]> =>
    [...benches]
      .filter(([, until]) => until > now)
      .map(([instance, until_at]) => ({
        target: `${instance}:story`,
        reasons: [{ layer: 6, code: "cooldown", detail: "after server", until_at }],
      }));
  const shell = {
    env: {},
    cwd: "/",
    clock: { now: () => now, elapsed: () => now },
    color: false,
    input: async function* () {},
    print: (text: string) => void lines.push(text),
    complain: (text: string) => void lines.push(text),
  };
  const narrator = createNarrator("http://127.0.0.1:1", shell);
  const dependencies = {
    router: {
      setFault(instance: string, _model: string, fault: FleetFault | null) {
        if (fault === null) faults.delete(instance);
        else faults.set(instance, fault);
      },
    },
    send: async () => answer(),
    wait: async (ms: number) => void (now += ms),
    benched,
    decision: async (id: string) => ({ id }),
    watcher: narrator,
  };
  return { dependencies, shell, lines, faults, elapsed: () => now };
}

describe("the demo", () => {
  test("shows a provider going bad, benched, explained and coming back", async () => {
    const { dependencies, faults, elapsed } = stage();

    const report = await runDemo(dependencies);

    expect(
      report.phases.map(({ name, requests, client_errors, served, benched }) => ({
        name,
        requests,
        client_errors,
        served,
        benched: benched.map(({ target }) => target),
      })),
    ).toEqual([
      phase("all well", 36, { alpha: 36, beta: 0, gamma: 0 }, []),
      phase("alpha empty", 48, { alpha: 24, beta: 24, gamma: 0 }, []),
      phase("alpha failing", 48, { alpha: 0, beta: 48, gamma: 0 }, ["alpha:story"]),
      phase("beta silent", 48, { alpha: 0, beta: 0, gamma: 48 }, ["alpha:story", "beta:story"]),
      phase("alpha back", 48, { alpha: 48, beta: 0, gamma: 0 }, ["beta:story"]),
    ]);
    expect(report).toMatchObject({ requests: 228, rescued: 26, client_errors: 0, recovered: true });
    expect(report.explained).toEqual({ id: expect.stringMatching(/^decision-/) });
    expect(faults.size).toBe(0);
    expect(elapsed()).toBeLessThan(30_000);
  });

  test("does not wait for ever for a bench that never ends", async () => {
    const { dependencies, elapsed } = stage();
    const stuck: Benched[] = [{ target: "alpha:story", reasons: [] }];

    const report = await runDemo({ ...dependencies, benched: () => Promise.resolve(stuck) });

    expect(elapsed()).toBeLessThan(60_000);
    expect(report.phases).toHaveLength(5);
  });

  test("counts a request without an answer as an error its client saw", async () => {
    const { dependencies } = stage();
    const refused = new Error("refused");

    const report = await runDemo({ ...dependencies, send: () => Promise.reject(refused) });

    expect(report).toMatchObject({ requests: 228, client_errors: 228, recovered: false });
    expect(report.explained).toBeNull();
  });

  test("ends at once when a wait is interrupted", async () => {
    const { dependencies } = stage();
    const interrupted = new Error("interrupted");

    const end = runDemo({ ...dependencies, wait: () => Promise.reject(interrupted) });

    expect(await end.catch((error: unknown) => error)).toBe(interrupted);
  });

  test("closes with a table and what it comes to", async () => {
    const { dependencies, shell, lines } = stage();
    const report = await runDemo(dependencies);
    lines.length = 0;

    printReport(report, shell);

    expect(lines.join("\n").trim().split("\n")).toEqual([
      "phase          requests  ok  rescued unseen  client errors  served by          benched at the end",
      "all well       36        36  0               0              alpha 36           -",
      "alpha empty    48        48  24              0              alpha 24, beta 24  -",
      "alpha failing  48        48  1               0              beta 48            alpha",
      "beta silent    48        48  1               0              gamma 48           alpha, beta",
      "alpha back     48        48  0               0              alpha 48           beta",
      "",
      "228 requests, 26 of them rescued unseen, 0 errors seen by clients.",
    ]);
  });
});

function phase(name: string, requests: number, served: Record<string, number>, benched: string[]) {
  return { name, requests, client_errors: 0, served, benched };
}

const CHUNK = 'data: {"choices":[{"delta":{"content":"At"},"finish_reason":null}]}\n\n';
const FINISH = 'data: {"choices":[{"delta":{},"finish_reason":"stop"}]}\n\n';
const ERROR = 'data: {"error":{"message":"upstream ended the stream early"}}\n\n';
const DONE = "data: [DONE]\n\n";

describe("the demo's client", () => {
  test.each([
    {
      name: "a whole answer",
      order: 2,
      status: 200,
      body: '{"message":{"content":"At"}}',
      ok: true,
    },
    {
      name: "an empty answer",
      order: 2,
      status: 200,
      body: '{"message":{"content":""}}',
      ok: false,
    },
    { name: "an error", order: 2, status: 502, body: '{"error":{"content":"x"}}', ok: false },
    { name: "a stream", order: 1, status: 200, body: CHUNK + FINISH + DONE, ok: true },
    { name: "a stream without content", order: 1, status: 200, body: FINISH + DONE, ok: false },
    { name: "a stream without a finish", order: 1, status: 200, body: CHUNK + DONE, ok: false },
    { name: "a stream that just ends", order: 1, status: 200, body: CHUNK + FINISH, ok: false },
    {
      name: "a stream with an error",
      order: 1,
      status: 200,
      body: CHUNK + ERROR + FINISH + DONE,
      ok: false,
    },
  ])("takes $name for ok: $ok", async ({ order, status, body, ok }) => {
    const asked: unknown[] = [];
    using server = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      async fetch(request) {
        asked.push(await request.json());
        return new Response(body, {
          status,
          headers: {
            "x-veriroute-attempts": "2",
            "x-veriroute-target": "beta:story",
            "x-veriroute-decision": "d1",
          },
        });
      },
    });
    const send = createClient(server.url.origin, new AbortController().signal);

    expect(await send(order)).toEqual({ ok, attempts: 2, served: "beta", decision_id: "d1" });
    expect(asked).toMatchObject([{ model: "pool:demo", stream: order === 1 }]);
  });
});
