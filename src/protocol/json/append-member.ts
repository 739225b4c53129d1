import { isBlank } from "./scan.ts";

const CLOSE_BRACE = 0x7d;
const OPEN_BRACE = 0x7b;

const encoder = new TextEncoder();

/** The object text with one more member right before its last brace. */
export function appendMember(
  bytes: Uint8Array,
  key: string,
  json: string,
): Uint8Array<ArrayBuffer> {
  const close = bytes.lastIndexOf(CLOSE_BRACE);
  let before = close - 1;
  while (isBlank(bytes[before])) before--;
  const comma = bytes[before] === OPEN_BRACE ? "" : ",";
  const member = encoder.encode(`${comma}${JSON.stringify(key)}:${json}`);
  const extended = new Uint8Array(bytes.length + member.length);
  extended.set(bytes);
  extended.copyWithin(close + member.length, close, bytes.length);
  extended.set(member, close);
  return extended;
}
