import { provider, type RouterOptions, startRouter, type TestRouter } from "./router.ts";
import {
  completion,
  type ScriptedUpstream,
  scriptedUpstream,
  type SeenRequest,
  type Wire,
} from "./scripted-upstream.ts";

export type Script = (wire: Wire, request: SeenRequest) => unknown;

/** An answer with all that tells how it came about. */
export interface Exchange {
  readonly response: Response;
  readonly bytes: Uint8Array;
  readonly text: string;
  /** What the upstream got, oldest first. */
  readonly sent: readonly SeenRequest[];
}

/** A router in front of one upstream, target `a:m`, whose answer each test sets. */
export interface WireRig extends AsyncDisposable {
  readonly router: TestRouter;
  readonly upstream: ScriptedUpstream;
  /** Asks once while the upstream does as `script` says. */
  ask(
    script: Script,
    body: object | string | Uint8Array<ArrayBuffer>,
    init?: AskInit,
  ): Promise<Exchange>;
  /** Names of the edits in the decision about an answer. */
  edits(response: Response): Promise<unknown>;
}

export interface AskInit extends RequestInit {
  /** Below `/v1`; chat by default. */
  readonly path?: string;
}

/** Never answers. */
const SILENT: Script = () => undefined;

export async function openWireRig(options: RouterOptions = {}): Promise<WireRig> {
  let current: Script = SILENT;
  const upstream = scriptedUpstream((wire, request) => current(wire, request));
  const { config = "", ...rest } = options;
  const router = await startRouter({ ...rest, config: config + provider("a", upstream.base_url) });
  return {
    router,
    upstream,
    async ask(script, body, { path = "/chat/completions", ...init } = {}) {
      current = script;
      const before = upstream.requests.length;
      const response = await router.post(`/v1${path}`, body, init);
      const bytes = new Uint8Array(await response.arrayBuffer());
      return {
        response,
        bytes,
        text: new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes),
        sent: upstream.requests.slice(before),
      };
    },
    async edits(response) {
      const id = response.headers.get("x-veriroute-decision") ?? "";
      const decision = await router.admin(`/admin/v1/decisions/${id}`);
      return typeof decision === "object" && decision !== null && "edits" in decision
        ? decision.edits
        : undefined;
    },
    async [Symbol.asyncDispose]() {
      await router[Symbol.asyncDispose]();
      upstream[Symbol.dispose]();
    },
  };
}

/** Answers with a JSON text, spelled as given. */
export const answers =
  (text: string | Uint8Array, headers: Readonly<Record<string, string>> = {}): Script =>
  (wire) => {
    wire.head(200, {
      "content-type": "application/json",
      "content-length": String(Buffer.byteLength(text)),
      ...headers,
    });
    wire.write(text);
  };

/** Answers with an event stream that ends with its connection; each piece is a write of its own. */
export const streams =
  (
    pieces: readonly (string | Uint8Array)[],
    headers: Readonly<Record<string, string>> = {},
  ): Script =>
  async (wire) => {
    wire.sse(headers);
    for (const piece of pieces) {
      wire.write(piece);
      await turn();
    }
    wire.end();
  };

/** Lets the event loop turn, so that what was written is read on its own. */
const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

export const CHAT = { model: "a:m", messages: [{ role: "user", content: "hi" }] };
export const CHAT_STREAM = { ...CHAT, stream: true };
export const OK = completion("ok");
