import type { Clock } from "../../lib/clock.ts";
import type { Random } from "../../lib/random.ts";
import type { Fetch } from "../fetch.ts";
import { createDirector, type SimulatedFault } from "./director.ts";
import type { ModelName } from "./models.ts";
import { answer } from "./server.ts";
import { pause, type Sleep, streamBody, systemSleep } from "./wire/body.ts";

/** The host of every simulated instance; `http://NAME.sim.invalid/v1` is an instance of its own. */
const HOST = "sim.invalid";
const DEFAULT_INSTANCE = "sim";

export interface SimulatorDependencies {
  readonly clock: Clock;
  readonly random: Random;
  readonly sleep?: Sleep;
}

/** Calls since the start. A call is open until its body was read, cancelled or aborted. */
interface CallCounts {
  readonly open: number;
  readonly completed: number;
  readonly aborted: number;
}

export interface Simulator {
  readonly fetch: Fetch;
  /** Makes `model` of `instance` behave like a faulty model from its next call on; null heals it. */
  setFault(instance: string, model: ModelName, fault: SimulatedFault | null): void;
  counts(): CallCounts;
}

/** Whether `url` is answered by the simulator and never by the network. */
export function isSimulatorUrl(url: string): boolean {
  // Asked of every upstream call.
  if (!url.includes(HOST)) return false;
  const host = URL.parse(url)?.hostname ?? "";
  return host === HOST || host.endsWith(`.${HOST}`);
}

function instanceOf({ hostname }: URL): string {
  return hostname === HOST ? DEFAULT_INSTANCE : hostname.slice(0, -HOST.length - 1);
}

/** An upstream inside the process that behaves like a real OpenAI-dialect server, faults included. */
export function createSimulator(dependencies: SimulatorDependencies): Simulator {
  const { sleep = systemSleep } = dependencies;
  const director = createDirector();
  const counts = { open: 0, completed: 0, aborted: 0 };
  const close = (how: "completed" | "aborted") => {
    counts.open--;
    counts[how]++;
  };
  return {
    async fetch(url, { method = "GET", body = null, signal }) {
      signal.throwIfAborted();
      counts.open++;
      const text = body === null ? "" : await new Response(body).text();
      if (signal.aborted) {
        close("aborted");
        throw signal.reason;
      }
      const place = URL.parse(url) ?? new URL(`http://${HOST}`);
      const call = { method, path: place.pathname, instance: instanceOf(place), text };
      const reply = answer(call, { ...dependencies, director });
      for (const step of reply.lead) {
        if (await pause(step, { sleep, signal })) continue;
        close("aborted");
        throw signal.reason;
      }
      const stream = streamBody(reply.body, { sleep, signal, onEnd: close });
      return new Response(stream, { status: reply.status, headers: reply.headers });
    },
    setFault: (instance, model, fault) => director.setFault(instance, model, fault),
    counts: () => ({ ...counts }),
  };
}
