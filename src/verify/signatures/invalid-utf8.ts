import { fault } from "../verdict.ts";
import type { Signature } from "./signature.ts";

export const invalidUtf8: Signature = {
  name: "invalid_utf8",
  verdict: "mangled",
  confidence: "certain",
  scope: "provider",
  trips: true,
  rule: "The upstream's bytes are not UTF-8. Whatever the prompt was, no echo makes them so.",
  spares: "Characters cut apart by network chunks: bytes are decoded as one stream.",
  isEarly: true,
  needsWhole: true,
  judge: ({ answer }) => (answer.is_utf8 ? null : fault("mangled", "provider")),
};
