import { createLog, openLogDestination } from "../../src/telemetry/log.ts";

// A process of its own that logs 64 MB to standard error, whoever reads it, and then says so.
const destination = openLogDestination();
const log = createLog({ level: "info", destination });
const filler = "x".repeat(1000);
for (let n = 0; n < 64; n++) {
  for (let line = 0; line < 1000; line++) log.info({ filler }, "line");
  await Bun.sleep(0);
}
await destination.flush();
process.stdout.write("alive\n");
process.exit(0);
