import type { JsonObject } from "../../openai/fields.ts";

/** One event of a response, its `type` and `sequence_number` included. */
export type ResponseEvent = JsonObject & { readonly type: string };

export type Emit = (type: string, fields: JsonObject) => void;

/** Numbers events and keeps them until they are taken. */
export function createEventLog(first_number: number) {
  let events: ResponseEvent[] = [];
  let next = first_number;
  return {
    emit(type: string, fields: JsonObject): void {
      events.push({ type, sequence_number: next++, ...fields });
    },
    take(): readonly ResponseEvent[] {
      const taken = events;
      events = [];
      return taken;
    },
  };
}

/** Events as frames; their name stands in both places, since each is all that some clients read. */
export function eventFrames(events: readonly ResponseEvent[]): string {
  return events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join("");
}
