import { beginsWithLetter } from "../text/unit-kinds.ts";
import { fault } from "../verdict.ts";
import type { Signature } from "./signature.ts";

const PAGE = /^\s*(?:<\?xml[^>]*>\s*)?<(?:!doctype html|html)\b/i;
const OF_ERRORS =
  /cloudflare|captcha|\b(?:40[0-9]|429|50[0-9]|52[0-9])\b|gateway|nginx|openresty|varnish|akamai|incapsula|envoy|caddy|apache\/|bad request|forbidden|access denied|unauthori[sz]ed|not found|unavailable|just a moment|checking your browser|attention required|too many requests|rate limit|maintenance|time-?d? ?out|blocked|ddos|server error|error occurred|<title>\s*error/i;

export const htmlErrorPage: Signature = {
  name: "html_error_page",
  verdict: "malformed",
  confidence: "high",
  scope: "provider",
  trips: true,
  rule: "The output starts as an HTML page and reads like one of a gateway, a challenge or an error.",
  spares:
    "Prompts about HTML, web pages or templates; a snippet that is no page; a page in code marks.",
  isEarly: true,
  needsWhole: false,
  judge({ stage, text, prompt }) {
    if (beginsWithLetter(text.head) || !PAGE.test(text.head) || prompt.asksFor("html")) return null;
    return stage === "start" || OF_ERRORS.test(text.head) ? fault("malformed", "provider") : null;
  },
};
