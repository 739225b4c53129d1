import { byteFallback } from "./byte-fallback.ts";
import { chatTemplateLeak } from "./chat-template-leak.ts";
import { clientAborted } from "./client-aborted.ts";
import { clientCappedEmpty } from "./client-capped-empty.ts";
import { clientCappedJson } from "./client-capped-json.ts";
import { clientCappedText } from "./client-capped-text.ts";
import { clientCappedTool } from "./client-capped-tool.ts";
import { contentFilter } from "./content-filter.ts";
import { controlChars } from "./control-chars.ts";
import { detokMarker } from "./detok-marker.ts";
import { doubledOutput } from "./doubled-output.ts";
import { empty200 } from "./empty-200.ts";
import { errorJsonAsContent } from "./error-json-as-content.ts";
import { errorTextAsContent } from "./error-text-as-content.ts";
import { htmlErrorPage } from "./html-error-page.ts";
import { invalidUtf8 } from "./invalid-utf8.ts";
import { mojibakeSingle } from "./mojibake-single.ts";
import { mojibake } from "./mojibake.ts";
import { promptEcho } from "./prompt-echo.ts";
import { reasoningInline } from "./reasoning-inline.ts";
import { reasoningLeakOrphan } from "./reasoning-leak-orphan.ts";
import { reasoningLeak } from "./reasoning-leak.ts";
import { refusalText } from "./refusal-text.ts";
import { repetitionLoop } from "./repetition-loop.ts";
import { replacementCharTail } from "./replacement-char-tail.ts";
import { replacementChar } from "./replacement-char.ts";
import { schemaViolation } from "./schema-violation.ts";
import { selfInflicted } from "./self-inflicted.ts";
import type { Signature } from "./signature.ts";
import { strayLeadingToken } from "./stray-leading-token.ts";
import { structuredFenced } from "./structured-fenced.ts";
import { structuredInvalid } from "./structured-invalid.ts";
import { toolCallTextLeak } from "./tool-call-text-leak.ts";
import { toolJsonInvalid } from "./tool-json-invalid.ts";
import { toolUnknownName } from "./tool-unknown-name.ts";
import { truncatedStream } from "./truncated-stream.ts";
import { wordSalad } from "./word-salad.ts";
import { wrongScriptBurst } from "./wrong-script-burst.ts";

/** Every signature, in the order in which they are tried. */
export const SIGNATURES: readonly Signature[] = [
  clientAborted,
  invalidUtf8,
  empty200,
  clientCappedEmpty,
  mojibake,
  mojibakeSingle,
  selfInflicted,
  replacementChar,
  replacementCharTail,
  byteFallback,
  detokMarker,
  controlChars,
  htmlErrorPage,
  errorJsonAsContent,
  errorTextAsContent,
  toolCallTextLeak,
  chatTemplateLeak,
  reasoningInline,
  reasoningLeakOrphan,
  reasoningLeak,
  toolJsonInvalid,
  toolUnknownName,
  structuredInvalid,
  structuredFenced,
  schemaViolation,
  truncatedStream,
  repetitionLoop,
  doubledOutput,
  wordSalad,
  strayLeadingToken,
  promptEcho,
  wrongScriptBurst,
  contentFilter,
  refusalText,
  clientCappedJson,
  clientCappedTool,
  clientCappedText,
];

/** What of a signature matters to those who wait for it to be over. */
export interface SignatureTraits {
  /** A stream shows it only when the client has seen the answer. */
  readonly needs_whole: boolean;
  /** A broken encoding, which no answer in plain ASCII can show. */
  readonly is_encoding: boolean;
  /** Two models of an instance that trip for it make it the instance's. */
  readonly widens: boolean;
}

const BY_NAME = new Map(SIGNATURES.map((signature) => [signature.name, signature]));

/** Of a name that is no signature nothing is known, so the whole is needed. */
export function signatureTraits(name: string): SignatureTraits {
  const { needsWhole = true, verdict, scope, widens = false } = BY_NAME.get(name) ?? {};
  const is_encoding = verdict === "mangled" && scope === "provider";
  return { needs_whole: needsWhole, is_encoding, widens };
}
