import { expect } from "bun:test";

import { isFilledText, type JsonObject, objectOf } from "../../../../src/protocol/openai/fields.ts";

/** A block's type and what its deltas say, a signature after a bar. */
export type Written = readonly [type: string, said: string];

interface Block {
  readonly opening: JsonObject;
  said: string;
  isOpen: boolean;
}

/** The blocks of a written stream, after a check that its events come in the one order SDKs know. */
export function blocksIn(events: readonly JsonObject[]): Written[] {
  expect(events[0]?.["type"]).toBe("message_start");
  expect(events.slice(-2).map(({ type }) => type)).toEqual(["message_delta", "message_stop"]);
  const blocks: Block[] = [];
  for (const event of events.slice(1, -2)) place(event, blocks);
  return blocks.map(({ opening, said }) => [String(opening["type"]), said || textIn(opening)]);
}

function place(event: JsonObject, blocks: Block[]): void {
  const last = blocks.at(-1);
  if (event["type"] === "content_block_start") {
    expect({ isOpen: last?.isOpen ?? false, index: event["index"] }).toEqual({
      isOpen: false,
      index: blocks.length,
    });
    blocks.push({ opening: objectOf(event["content_block"]), said: "", isOpen: true });
    return;
  }
  expect({ isOpen: last?.isOpen, index: event["index"] }).toEqual({
    isOpen: true,
    index: blocks.length - 1,
  });
  if (last && event["type"] === "content_block_stop") last.isOpen = false;
  else if (last) last.said += textIn(objectOf(event["delta"]));
}

function textIn({ text, thinking, partial_json: json, signature, data }: JsonObject): string {
  const said = [text, thinking, json, data].find(isFilledText) ?? "";
  return isFilledText(signature) ? `${said}|${signature}` : said;
}
