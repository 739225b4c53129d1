import { POOL } from "./fleet.ts";

/** How one request looked to the client that sent it. */
export interface Sent {
  readonly ok: boolean;
  /** Upstream calls made for it; more than one and ok is a rescue. */
  readonly attempts: number;
  /** The instance that answered. */
  readonly served: string | null;
  readonly decision_id: string | null;
}

export type Send = (order: number) => Promise<Sent>;

const TIMEOUT_MS = 20_000;

/** Sends chat requests to the router as clients do: every other one is a stream. */
export function createClient(url: string, signal: AbortSignal): Send {
  return async (order) => {
    const stream = order % 2 === 1;
    const response = await fetch(`${url}/v1/chat/completions`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({
        model: POOL,
        stream,
        messages: [{ role: "user", content: `Tell me story number ${order}.` }],
      }),
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
      proxy: false,
    });
    const text = await response.text();
    const { headers } = response;
    return {
      ok: response.ok && (stream ? isFinishedStream(text) : isAnswer(text)),
      attempts: Number(headers.get("x-veriroute-attempts") ?? 0),
      served: headers.get("x-veriroute-target")?.split(":")[0] ?? null,
      decision_id: headers.get("x-veriroute-decision"),
    };
  };
}

/** Content, a finish and `[DONE]`, and no error event among them. */
function isFinishedStream(text: string): boolean {
  return (
    /"content":"[^"]/.test(text) &&
    text.includes('"finish_reason":"stop"') &&
    text.trimEnd().endsWith("data: [DONE]") &&
    !/^data: \{"error"/m.test(text)
  );
}

function isAnswer(text: string): boolean {
  return /"content":"[^"]/.test(text);
}

export interface Traffic {
  readonly send: Send;
  /** Rejects when the demo is interrupted. */
  readonly wait: (ms: number) => Promise<void>;
}

export interface Load {
  readonly per_second: number;
  readonly duration_ms: number;
  /** Number of the first request. */
  readonly first: number;
}

/** Sends at an even pace and resolves when every request has its answer. */
export async function drive({ send, wait }: Traffic, load: Load): Promise<readonly Sent[]> {
  const pause = 1000 / load.per_second;
  const count = Math.round(load.duration_ms / pause);
  const open: Promise<Sent>[] = [];
  for (let order = load.first; order < load.first + count; order++) {
    open.push(send(order).catch(() => LOST));
    await wait(pause);
  }
  return Promise.all(open);
}

/** No answer at all: as bad as an error for the client. */
const LOST: Sent = { ok: false, attempts: 0, served: null, decision_id: null };
