import type { EventHub, Sink } from "./events.ts";

/** Delivers each event to the sinks that were registered when it was emitted, in their order. */
export function createEventHub(): EventHub {
  // Replaced, never changed: an emit goes over the list it began with, whatever its sinks do.
  let sinks: readonly Sink[] = [];
  const failures = new Map<string, number>();
  return {
    emit(event) {
      for (const sink of sinks) {
        try {
          sink.record(event);
        } catch {
          failures.set(sink.name, (failures.get(sink.name) ?? 0) + 1);
        }
      }
    },
    register(sink) {
      sinks = [...sinks, sink];
      let registered = true;
      return () => {
        if (!registered) return;
        registered = false;
        const index = sinks.indexOf(sink);
        sinks = sinks.toSpliced(index, 1);
      };
    },
    failures: () => Object.fromEntries(failures),
  };
}
