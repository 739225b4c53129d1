/** An answer that a client has whole. */
export interface Finished {
  /** Sent along, so that the request's decision can be found. */
  readonly request_id: string;
  readonly status: number;
  /** When the last byte was there, and how long it took; ms of `performance.now()`. */
  readonly at: number;
  readonly took_ms: number;
}

export interface LoadOptions {
  /** Requests open at any time. */
  readonly connections: number;
  readonly model?: string;
}

export interface Load {
  readonly finished: readonly Finished[];
  /** What broke off before its end, such as a connection to a process that was killed. */
  readonly broken: readonly unknown[];
  /** Waits for what is open. A load whose server went away has stopped already. */
  stop(): Promise<void>;
}

/** Sends one chat request after another on each connection until it is stopped or the server goes. */
export function startLoad(url: string, { connections, model = "sim:echo" }: LoadOptions): Load {
  const finished: Finished[] = [];
  const broken: unknown[] = [];
  const end = new AbortController();
  const work = async () => {
    while (!end.signal.aborted) finished.push(await ask(url, model));
  };
  const workers = Array.from({ length: connections }, () =>
    work().catch((error: unknown) => {
      end.abort();
      broken.push(error);
    }),
  );
  return {
    finished,
    broken,
    async stop() {
      end.abort();
      await Promise.all(workers);
    },
  };
}

async function ask(url: string, model: string): Promise<Finished> {
  const request_id = crypto.randomUUID();
  const began = performance.now();
  const answer = await openChat(url, { model }, request_id);
  await answer.text();
  const at = performance.now();
  return { request_id, status: answer.status, at, took_ms: at - began };
}

/** Sends a chat request; settles with the headers of its answer. */
export function openChat(url: string, more: object, request_id = "test"): Promise<Response> {
  return fetch(`${url}/v1/chat/completions`, {
    method: "POST",
    proxy: false,
    headers: { "content-type": "application/json", "x-request-id": request_id },
    body: JSON.stringify({ messages: [{ role: "user", content: "tell me" }], ...more }),
  });
}
