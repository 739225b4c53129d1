import { acquireServeLock } from "../../src/store/serve-lock.ts";

// A process of its own that tries once for each lock and keeps what it got until its input ends.
const results = process.argv.slice(2).map((path) => acquireServeLock(path));
process.stdout.write(JSON.stringify(results.map(({ kind }) => kind)));
await Bun.stdin.text();
for (const result of results) if (result.kind === "acquired") result.lock.release();
