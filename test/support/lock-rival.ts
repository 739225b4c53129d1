import { acquireServeLock } from "../../src/store/serve-lock.ts";

// A process of its own that tries once for a lock and keeps what it got until its input ends.
const result = acquireServeLock(process.argv[2] ?? "");
process.stdout.write(result.kind);
await Bun.stdin.text();
if (result.kind === "acquired") result.lock.release();
