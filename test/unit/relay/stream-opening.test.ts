import { describe, expect, test } from "bun:test";

import { readSame } from "../../../src/protocol/translate/stream-reader.ts";
import { type BodyReader, createBodyReader, type Read } from "../../../src/relay/body-reader.ts";
import { createConsumer } from "../../../src/relay/stream-consumer.ts";
import { openStream } from "../../../src/relay/stream-opening.ts";
import { Watch } from "../../../src/relay/watch.ts";
import { chunk } from "../../support/scripted-upstream.ts";

const ROLE = chunk({ role: "assistant", content: "" });
const said = (content: string) => chunk({ content });
const STOP = `${chunk({}, "stop")}data: [DONE]\n\n`;

/** Reads these one after the other; `late` is a moment in which nothing comes. */
function readerOf(reads: readonly string[]): BodyReader {
  const left = [...reads];
  const next = (): Read => {
    const text = left.shift();
    return text === undefined
      ? { kind: "end" }
      : { kind: "chunk", bytes: new TextEncoder().encode(text) };
  };
  return {
    read: () => Promise.resolve(next()),
    readWithin: () => {
      if (left[0] !== "late") return Promise.resolve(next());
      left.shift();
      return Promise.resolve({ kind: "late" });
    },
    readAll: () => Promise.resolve({ kind: "too_large" }),
    putBack: () => undefined,
    cancel: () => undefined,
    release: () => Promise.resolve(),
  };
}

async function open(
  reads: readonly string[],
  waitFor: (textSoFar: () => string) => (() => boolean) | null,
) {
  let text = "";
  const consumer = createConsumer({
    reader: (onText) =>
      readSame({
        dialect: "chat",
        drop_usage: false,
        newId: () => "id",
        onEdit: () => undefined,
        ...(onText && { onText }),
      }),
    max_frame: 1e6,
    onText: (_, piece) => void (text += piece),
  });
  const opening = await openStream({
    reader: readerOf(reads),
    consumer,
    waitFor: () => waitFor(() => text),
    elapsed: () => 0,
  });
  if (opening.kind === "preamble_too_long") return opening;
  const held = new TextDecoder().decode(opening.held);
  return { ...opening, held, end: opening.end?.kind ?? null };
}

const enough = (text: () => string) => () => text().length >= 3;

describe("a stream is held back", () => {
  test("until its first content, if there is nothing to wait for", async () => {
    expect(await open([ROLE, said("a"), said("b")], () => null)).toEqual({
      kind: "content",
      held: ROLE + said("a"),
      end: null,
      is_held_back: false,
    });
  });

  test("until enough of it is there", async () => {
    expect(await open([ROLE, said("a"), said("b"), said("c"), said("d")], enough)).toEqual({
      kind: "content",
      held: ROLE + said("a") + said("b") + said("c"),
      end: null,
      is_held_back: true,
    });
  });

  test("for a moment at most", async () => {
    expect(await open([said("a"), said("b"), "late", said("c")], () => () => false)).toEqual({
      kind: "content",
      held: said("a") + said("b"),
      end: null,
      is_held_back: true,
    });
  });

  test("until it is over", async () => {
    expect(await open([said("a"), STOP], () => () => false)).toMatchObject({
      kind: "content",
      held: said("a") + chunk({}, "stop"),
      end: "done",
      is_held_back: true,
    });
  });

  test("no longer than its first chunk, if that is all of it", async () => {
    expect(await open([said("a") + STOP, "late"], () => () => false)).toMatchObject({
      end: "done",
      is_held_back: true,
    });
  });

  test("without any content to its end", async () => {
    expect(await open([ROLE, STOP], () => () => false)).toMatchObject({
      kind: "ended",
      end: "done",
    });
  });
});

const text = (read: { kind: string; bytes?: Uint8Array }) => new TextDecoder().decode(read.bytes);

test("a chunk that came too late for the hold-back is the next one that is read", async () => {
  const upstream = new TransformStream<Uint8Array, Uint8Array>();
  const writer = upstream.writable.getWriter();
  const reader = createBodyReader(new Response(upstream.readable), new Watch());

  const late = await reader.readWithin(0);
  void writer.write(new TextEncoder().encode("a"));
  const first = await reader.read();
  void writer.write(new TextEncoder().encode("b"));
  const second = await reader.readWithin(1000);
  void writer.write(new TextEncoder().encode("c"));
  const third = await reader.read();

  expect([late.kind, text(first), text(second), text(third)]).toEqual(["late", "a", "b", "c"]);
});
