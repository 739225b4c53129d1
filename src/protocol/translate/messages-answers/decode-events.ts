import { joinTold } from "../../anthropic/join-told.ts";
import type { MessagesEvent } from "../../anthropic/read-event.ts";
import { finishOfStop } from "../../anthropic/stop-reason.ts";
import { chatUsage } from "../../anthropic/usage.ts";
import { arrayOf, isFilledText, type JsonObject, objectOf } from "../../openai/fields.ts";
import { type ChunkHead, createChunks } from "./chunks.ts";
import { type BlockOptions, createBlocks } from "./decode-blocks.ts";
import { tellOnce } from "./tell-once.ts";

/** With the id and model that chunks bear where the upstream names none. */
export interface DecodingOptions extends BlockOptions, ChunkHead {}

/** Reads the events of a message as chat chunks; what it cannot place, it leaves out. */
export function createEventDecoder({ newId, onLoss, ...head }: DecodingOptions) {
  const blocks = createBlocks({ newId, onLoss: tellOnce(onLoss) });
  const chunks = createChunks(head);
  let usage: JsonObject = {};
  let isFinished = false;

  const saying = (deltas: readonly JsonObject[]) => (isFinished ? [] : chunks.saying(deltas));

  function start(message: JsonObject): JsonObject[] {
    usage = joinTold(usage, objectOf(message["usage"]));
    if (chunks.hasBegun()) return [];
    const role = chunks.begin(message);
    const given = [...arrayOf(message["content"]).entries()];
    const said = given.flatMap(([index, block]) =>
      blocks.open(index, objectOf(block)).concat(blocks.close(index)),
    );
    return role.concat(saying(said));
  }

  function finish(stop: string | null, details: JsonObject = {}): JsonObject[] {
    const { explanation } = details;
    const isRefusal = stop === "refusal" && isFilledText(explanation);
    const said = blocks.closeAll().concat(isRefusal ? [{ refusal: explanation }] : []);
    const before = saying(said);
    isFinished = true;
    const native = stop === null ? {} : { native_finish_reason: stop };
    const reason = { finish_reason: finishOfStop(stop, blocks.calls()), ...native };
    return [...before, ...chunks.ending(reason), ...chunks.counted(chatUsage(usage))];
  }

  function conclude(event: JsonObject): JsonObject[] {
    const { stop_reason: stop, stop_details: details } = objectOf(event["delta"]);
    const counts = objectOf(event["usage"]);
    usage = joinTold(usage, counts);
    if (!isFinished) return isFilledText(stop) ? finish(stop, objectOf(details)) : [];
    return Object.keys(counts).length > 0 ? chunks.counted(chatUsage(usage)) : [];
  }

  /** The chunks that an event comes to. Usage follows the finish in a chunk of its own. */
  function read(event: MessagesEvent): JsonObject[] {
    const { type, index } = event;
    switch (type) {
      case "message_start":
        return start(objectOf(event["message"]));
      case "content_block_start":
        return saying(blocks.open(index, objectOf(event["content_block"])));
      case "content_block_delta":
        return saying(blocks.add(index, objectOf(event["delta"])));
      case "content_block_stop":
        return saying(blocks.close(index));
      case "message_delta":
        return conclude(event);
      case "message_stop":
        return !isFinished && chunks.hasSpoken() ? finish(null) : [];
      default:
        return [];
    }
  }

  return { read, calls: () => blocks.calls(), usage: () => usage };
}
