import { fault } from "../verdict.ts";
import type { Signature } from "./signature.ts";

const MAX_LENGTH = 200;

const STATUS_WORDS =
  "bad gateway|service (?:temporarily )?unavailable|gateway time-?out|internal server error|too many requests|forbidden|unauthorized|not found|server error|origin .{0,20}error|web server is down";

/** How gateways and servers begin a line about their own failure. */
const LINES = new RegExp(
  `^(?:${[
    "upstream (?:connect|request|service|server|timed|error|returned)",
    "no healthy upstream",
    `(?:http(?:/\\d(?:\\.\\d)?)? ?)?(?:error |status )?(?:code:? )?[45]\\d\\d[ :,-]+(?:${STATUS_WORDS})`,
    `(?:${STATUS_WORDS})(?:[.:!]|$)`,
    "error(?: code)?:? ?[45]\\d\\d\\b",
    "error:? (?:upstream|connection|request|fetch|timeout|time-?out|timed|stream|provider|server|internal|unexpected|rate|calling|communicating|processing|generating)",
    "(?:an? )?(?:internal |unexpected |unknown |server )*error (?:has )?occurr?ed(?: (?:while|during|when) (?:processing|generating|handling|streaming|calling|fetching|communicating|connecting|trying|the|your)\\b|[.,] please|:|\\.?$)",
    "something went wrong(?: while|[.,] please|\\.?$)",
    "the (?:server|service) (?:had an error|encountered|is (?:currently |temporarily )?(?:overloaded|busy|unavailable|down))",
    "(?:the |this )?(?:model|engine|service) is (?:currently |temporarily )?(?:overloaded|unavailable|at capacity)",
    "(?:the )?request (?:timed out|timeout|failed|was aborted|could not be (?:processed|completed))",
    "(?:connection|socket) (?:error|refused|reset|closed|timed out|hang up|terminated)",
    "(?:read |connect )?econn(?:refused|reset|aborted)",
    "context deadline exceeded",
    "(?:stream|fetch) (?:error|failed|closed|disconnected)",
    "provider (?:returned|error)",
    "failed to (?:fetch|connect|generate (?:a )?(?:response|completion)|process (?:the|your) request|call)",
    "(?:torch\\.)?cuda (?:error|out of memory)",
    "rate limit (?:exceeded|reached|hit)",
    "(?:you(?:'ve| have)? )?exceeded your (?:current )?(?:quota|rate limit)",
    "quota exceeded",
    "(?:invalid|incorrect|missing|expired) (?:api[ _-]?key|credentials|authentication|access token)",
    "insufficient (?:credits?|quota|balance|funds)",
    "no available (?:providers?|servers?|accounts?|channels?|models?|instances?)",
    "traceback \\(most recent call last\\)",
    "overloaded(?:_error)?\\.?$",
  ].join("|")})`,
  "i",
);

export const errorTextAsContent: Signature = {
  name: "error_text_as_content",
  verdict: "malformed",
  confidence: "high",
  scope: "provider",
  trips: true,
  rule: `The whole output is shorter than ${MAX_LENGTH} characters and begins like a gateway's own error line.`,
  spares:
    "Prompts about errors, APIs, servers or status codes; longer answers that quote such a line.",
  isEarly: true,
  needsWhole: false,
  judge({ text, prompt }) {
    if (text.length >= MAX_LENGTH || !LINES.test(text.head.trim())) return null;
    return prompt.asksFor("error_messages") ? null : fault("malformed", "provider");
  },
};
