import { systemClock } from "../../src/lib/clock.ts";
import { openStore } from "../../src/store/open.ts";
import { decision } from "./decisions.ts";

// A process of its own that records decisions until it is killed; `request_id` counts them.
const store = await openStore({
  path: process.argv[2] ?? "",
  log: { warn: () => undefined, error: () => undefined },
  clock: systemClock,
});
for (let count = 1; ; count++) {
  const at = Date.now();
  store.recordDecision(decision({ at: count, request_id: String(count) }));
  process.stdout.write(`${count} ${at}\n`);
  if (count % 20 === 0) await Bun.sleep(1);
}
