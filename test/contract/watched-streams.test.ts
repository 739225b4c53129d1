import { expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";

import type { ChunkOptions } from "../../src/protocol/openai/stream/chunks.ts";
import type { Frame } from "../../src/protocol/sse/framer.ts";
import { FORMATS } from "../../src/protocol/translate/formats.ts";
import { readDecoded, watchDecoded } from "../../src/protocol/translate/stream-reader.ts";

const FIXTURES = join(import.meta.dir, "../fixtures");
const STREAMS = (["messages", "responses"] as const).flatMap((dialect) =>
  readdirSync(join(FIXTURES, dialect))
    .filter((file) => file.endsWith(".chunks.txt"))
    .map((file) => ({ dialect, file })),
);

type Stream = (typeof STREAMS)[number];

const frameOf = (data: string): Frame => ({
  raw: new TextEncoder().encode(`data: ${data}\n\n`),
  event: undefined,
  data,
  terminated: true,
});

/** The frames of a recorded stream, kept as one payload a line, and two that nobody can use. */
async function framesOf({ dialect, file }: Stream): Promise<Frame[]> {
  const text = await Bun.file(join(FIXTURES, dialect, file)).text();
  const payloads = text.trim().split("\n");
  return [...payloads, '{"type":"error","error":{"message":"broken"}}', "no JSON"].map(frameOf);
}

/** What a reader tells of a stream, apart from the bytes for the client. */
async function toldBy(read: typeof readDecoded, stream: Stream) {
  const texts: string[] = [];
  let ids = 0;
  const options: ChunkOptions = {
    dialect: "chat",
    drop_usage: false,
    newId: () => `call_${ids++}`,
    onEdit: () => undefined,
    onText: (choice, text) => texts.push(`${choice}: ${text}`),
  };
  const about = { seed: "s", model: "m", created_at: 1, newId: options.newId, tools: new Map() };
  const reader = read(
    FORMATS[stream.dialect].createDecoder({ ...about, onLoss: () => undefined }),
    options,
  );
  const steps = (await framesOf(stream)).map((frame) => {
    const { is_content, is_done, error } = reader.read(frame);
    return { is_content, is_done, error };
  });
  return { steps, texts, facts: reader.facts(), choices: reader.choices() };
}

test.each(STREAMS)("who watches $dialect/$file is told what its reader is told", async (stream) => {
  expect(await toldBy(watchDecoded, stream)).toEqual(await toldBy(readDecoded, stream));
});
