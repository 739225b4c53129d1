import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";

import type { CommandResult } from "../command.ts";
import { type ColabCalls, named } from "./calls.ts";
import { faultKind, faultOf } from "./classify.ts";
import type { DownloadReport, DownloadRequest, UploadReport, UploadRequest } from "./driver.ts";
import type { ColabFault } from "./faults.ts";
import { outputOf } from "./output.ts";

/** A few MiB over a slow line; the command itself knows no limit. */
const TRANSFER_MS = 120_000;

export async function upload(calls: ColabCalls, request: UploadRequest): Promise<UploadReport> {
  const { name, content, path } = request;
  const result = await calls.call({
    name: named(name),
    // No file with a name: a kill at any moment leaves nothing of it on the disk.
    args: ["upload", "-s", name, "/dev/stdin", path],
    stdin: content,
    timeout_ms: TRANSFER_MS,
    yields: true,
  });
  const fault = faultIn(result, "[colab] Uploaded '", `put \`${path}\` on \`${name}\``);
  return fault === null ? { kind: "uploaded" } : { kind: "failed", fault };
}

export async function download(
  calls: ColabCalls,
  { name, path }: DownloadRequest,
): Promise<DownloadReport> {
  const doing = `fetch \`${path}\` from \`${name}\``;
  const local = join(calls.directory(named(name)), `download-${Bun.randomUUIDv7()}`);
  try {
    const result = await calls.call({
      name,
      args: ["download", "-s", name, path, local],
      timeout_ms: TRANSFER_MS,
      yields: true,
    });
    const fault = faultIn(result, "[colab] Downloaded '", doing);
    if (fault !== null) return { kind: "failed", fault };
    return { kind: "downloaded", content: new Uint8Array(readFileSync(local)) };
  } catch (error) {
    const message = `\`colab\` could not ${doing}: the file system failed`;
    return { kind: "failed", fault: { kind: "failed", message, detail: String(error) } };
  } finally {
    rmSync(local, { force: true });
  }
}

/** Null only where the command says, in so many words, that it is done. */
function faultIn(result: CommandResult, done: string, doing: string): ColabFault | null {
  const kind = faultKind(result) ?? (outputOf(result).stdout.includes(done) ? null : "unreadable");
  if (kind === null) return null;
  // It is the machine that refuses here, not Google.
  return faultOf(kind === "login_refused" ? "session_lost" : kind, doing, result);
}
