import { MAX_TIMER_MS } from "../../../lib/durations.ts";

/** What a simulated connection does next. */
export type Step =
  | { readonly kind: "bytes"; readonly bytes: Uint8Array }
  | { readonly kind: "wait"; readonly ms: number }
  /** Connected and silent until somebody hangs up. */
  | { readonly kind: "silence" }
  | { readonly kind: "reset" };

/** Resolves after `ms`, or at once when `signal` aborts; never rejects. */
export type Sleep = (ms: number, signal: AbortSignal) => Promise<void>;

export const systemSleep: Sleep = (ms, signal) =>
  new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, Math.min(ms, MAX_TIMER_MS));
    signal.addEventListener("abort", done);
  });

export interface Connection {
  readonly sleep: Sleep;
  /** The client's. */
  readonly signal: AbortSignal;
  /** Called once: the steps ran out (a reset counts), or the client hung up before. */
  readonly onEnd: (how: "completed" | "aborted") => void;
}

/** Plays a step that sends nothing; true if the client is still there afterwards. */
export async function pause(
  step: Extract<Step, { kind: "wait" | "silence" }>,
  { sleep, signal }: Pick<Connection, "sleep" | "signal">,
): Promise<boolean> {
  if (step.kind === "wait") await sleep(step.ms, signal);
  else await aborted(signal);
  return !signal.aborted;
}

function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
}

/** What fetch reports when the peer drops a connection. */
function connectionReset(): Error {
  const error = new Error("The socket connection was closed unexpectedly.");
  return Object.assign(error, { code: "ECONNRESET" });
}

/**
 * A body that takes one step for each read and none ahead, so a client that stops reading stops the
 * model. Hanging up, by signal or by cancelling the body, ends it at once.
 */
export function streamBody(
  steps: Iterator<Step>,
  connection: Connection,
): ReadableStream<Uint8Array> {
  const hangUp = new AbortController();
  const end = (how: "completed" | "aborted") => {
    hangUp.abort();
    connection.onEnd(how);
  };
  return new ReadableStream(
    {
      start(controller) {
        const onAbort = () => {
          controller.error(connection.signal.reason);
          end("aborted");
        };
        connection.signal.addEventListener("abort", onAbort, { signal: hangUp.signal });
      },
      async pull(controller) {
        for (;;) {
          const next = steps.next();
          if (next.done === true) {
            controller.close();
            return end("completed");
          }
          const step = next.value;
          if (step.kind === "bytes") return controller.enqueue(step.bytes);
          if (step.kind === "reset") {
            controller.error(connectionReset());
            return end("completed");
          }
          if (!(await pause(step, { sleep: connection.sleep, signal: hangUp.signal }))) return;
        }
      },
      cancel() {
        end("aborted");
      },
    },
    { highWaterMark: 0 },
  );
}
