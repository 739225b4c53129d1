import { expect, test } from "bun:test";

import { arrayOf, objectOf, parseJson } from "../../../src/protocol/openai/fields.ts";
import { createFramer } from "../../../src/protocol/sse/framer.ts";
import { createRigGuard, isEncodingSignature } from "../../../src/verify/rig/rig-guard.ts";
import { type Decode, type SelfTest, testDecoding } from "../../../src/verify/rig/self-test.ts";

function deltaText(payload: string): string {
  const choice = objectOf(arrayOf(objectOf(parseJson(payload))["choices"])[0]);
  const { content } = objectOf(choice["delta"]);
  return typeof content === "string" ? content : "";
}

/** Decodes the way the router does. */
const framed: Decode = (chunks) => {
  const framer = createFramer({ max_frame: 1_000_000 });
  const frames = chunks.flatMap((chunk) => framer.push(chunk).frames);
  return frames.map(({ data }) => deltaText(data ?? "")).join("");
};

const contentOf = (text: string) => framed([new TextEncoder().encode(text)]);

test("the router's own framing passes its test", () => {
  expect(testDecoding(framed)).toEqual({ ok: true });
});

test.each<{ name: string; decode: Decode; result: SelfTest }>([
  {
    name: "each chunk on its own",
    decode: (chunks) => contentOf(chunks.map((chunk) => new TextDecoder().decode(chunk)).join("")),
    result: { ok: false, fault: "lost", chunk_bytes: 1 },
  },
  {
    name: "by the charset that a header did not name",
    decode: (chunks) => contentOf(new TextDecoder("latin1").decode(Buffer.concat(chunks))),
    result: { ok: false, fault: "mangled", chunk_bytes: 1 },
  },
  {
    name: "with the last frame missing",
    decode: (chunks) => framed(chunks).slice(0, -1),
    result: { ok: false, fault: "different", chunk_bytes: 1 },
  },
  {
    name: "well only if chunks are large",
    decode: (chunks) => (chunks.length > 5 ? "" : framed(chunks)),
    result: { ok: false, fault: "different", chunk_bytes: 1 },
  },
])("a stream decoded $name fails it", ({ decode, result }) => {
  expect(testDecoding(decode)).toEqual(result);
});

const MINUTE = 60_000;
const at = (minutes: number, instance: string, host = `${instance}.example`) => ({
  signature: "mojibake",
  instance,
  host,
  at: minutes * MINUTE,
});

test("one instance that breaks characters does not speak against the router", () => {
  const guard = createRigGuard();

  expect([0, 1, 2, 3].map((minute) => guard.note(at(minute, "a")))).toEqual([
    false,
    false,
    false,
    false,
  ]);
});

test("a signature new on two hosts within ten minutes does", () => {
  const guard = createRigGuard();

  expect(guard.note(at(0, "a"))).toBe(false);
  expect(guard.note(at(9, "b"))).toBe(true);
  expect(guard.isSuspected("mojibake", 9 * MINUTE)).toBe(true);
  expect(guard.isSuspected("invalid_utf8", 9 * MINUTE)).toBe(false);
});

test.each([
  { name: "two instances of one host", events: [at(0, "a", "h"), at(1, "b", "h")] },
  { name: "more than ten minutes between", events: [at(0, "a"), at(11, "b")] },
  {
    name: "another signature",
    events: [at(0, "a"), { ...at(1, "b"), signature: "replacement_char" }],
  },
  {
    name: "a host that has shown it all day",
    events: [...Array.from({ length: 13 }, (_, hour) => at(60 * hour, "a")), at(60 * 12 + 1, "b")],
  },
])("$name is no reason to suspect the router", ({ events }) => {
  const guard = createRigGuard();

  expect(events.map((event) => guard.note(event)).includes(true)).toBe(false);
});

test("the suspicion lasts while two hosts show it and ends when one is well", () => {
  const guard = createRigGuard();
  guard.note(at(0, "a"));
  guard.note(at(1, "b"));

  expect(
    [8, 16, 24].map((minute) => guard.note(at(minute, "a")) && guard.note(at(minute, "b"))),
  ).toEqual([true, true, true]);
  expect(guard.note(at(35, "a"))).toBe(false);
});

test("after a day without it a signature is new again", () => {
  const guard = createRigGuard();
  guard.note(at(0, "a"));
  guard.note(at(25 * 60, "a"));

  expect(guard.note(at(25 * 60 + 5, "b"))).toBe(true);
});

test.each(["mojibake", "invalid_utf8", "replacement_char", "control_chars"])(
  "%s is of the pipe",
  (name) => {
    expect(isEncodingSignature(name)).toBe(true);
  },
);

test.each(["byte_fallback", "empty_200", "html_error_page", "mojibake_single"])(
  "%s is not",
  (name) => {
    expect(isEncodingSignature(name)).toBe(false);
  },
);
