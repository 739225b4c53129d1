import { readSame } from "../protocol/translate/stream-reader.ts";
import type { Decode } from "../verify/self-test.ts";
import { createConsumer } from "./stream-consumer.ts";

/** The text of a stream's answer, read the way that every stream is. */
export const decodeStream: Decode = (chunks) => {
  let text = "";
  const consumer = createConsumer({
    reader: (onText) =>
      readSame({
        dialect: "chat",
        drop_usage: false,
        newId: () => "self-test",
        onEdit: () => undefined,
        ...(onText && { onText }),
      }),
    max_frame: Number.POSITIVE_INFINITY,
    onText: (_, piece) => void (text += piece),
  });
  for (const chunk of chunks) consumer.feed(chunk);
  return text;
};
