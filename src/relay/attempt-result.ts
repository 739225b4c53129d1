import type { Failure } from "../health/failure.ts";
import type { PassedHeaders } from "../upstream/inbound-headers.ts";
import type { Aside } from "./asides.ts";
import type { Unanswered } from "./blame.ts";
import type { JsonAnswer } from "./json-answer.ts";

export interface JsonResult {
  readonly kind: "json";
  readonly answer: JsonAnswer;
  readonly headers: PassedHeaders;
}

export interface StreamResult {
  readonly kind: "stream";
  readonly source: AsyncIterator<Uint8Array>;
  readonly headers: PassedHeaders;
}

/** What the client gets. */
export type Served = JsonResult | StreamResult;

/** An answer that was judged bad before the client saw any of it. Of `serve` and `drop` one is due. */
export interface DoubtfulResult extends Aside {
  readonly kind: "doubtful";
  readonly failure: Failure;
}

export type AttemptResult = Served | DoubtfulResult | Unanswered;
