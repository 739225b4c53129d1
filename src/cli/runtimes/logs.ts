import { Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";

import { readServerKey } from "../../runtimes/attach/server-key.ts";
import { createMachineCalls } from "../../runtimes/bootstrap/machine.ts";
import { EXIT, type Words } from "../command.ts";
import { getFromServer } from "../server/server-call.ts";
import type { Shell } from "../terminal/shell.ts";
import type { OwnRuntimes } from "./own.ts";

export const DEFAULT_LINES = 50;
const MAX_LINES = 500;

export function readLines(text: string | undefined): number | null {
  const lines = Number(text ?? DEFAULT_LINES);
  return Number.isInteger(lines) && lines >= 1 && lines <= MAX_LINES ? lines : null;
}

type Logs = Readonly<Record<string, readonly string[]>>;
type Read =
  { readonly ok: true; readonly logs: Logs } | { readonly ok: false; readonly problem: string };

/** Prints the last lines of each log on the machine. */
export async function runLogs(
  own: OwnRuntimes,
  { name, lines }: { readonly name: string; readonly lines: number },
  words: Words,
  shell: Shell,
): Promise<number> {
  const read = await logsOf(own, { name, lines, url: words.values["url"] }, shell);
  if (!read.ok) {
    shell.complain(`veriroute runtimes: ${read.problem}`);
    return EXIT.failed;
  }
  if (words.flags.has("json")) {
    shell.print(JSON.stringify({ logs: read.logs }));
    return EXIT.ok;
  }
  const sections = Object.entries(read.logs).flatMap(([file, text]) => [`== ${file}`].concat(text));
  shell.print(sections.join("\n"));
  return EXIT.ok;
}

interface Asked {
  readonly name: string;
  readonly lines: number;
  readonly url: string | undefined;
}

/** Whoever holds the lock may run something on the machine; two at once would get in each other's way. */
async function logsOf(own: OwnRuntimes, { name, lines, url }: Asked, shell: Shell): Promise<Read> {
  const file = url === undefined ? await own.leases.read(name) : null;
  if (url === undefined && file === null) {
    return {
      ok: false,
      problem: `there is no runtime \`${name}\`; \`veriroute runtimes status\` lists them`,
    };
  }
  const taken = url === undefined ? own.leases.lock(name) : null;
  if (taken?.kind !== "acquired") {
    const path = `/admin/v1/runtimes/${name}/logs?lines=${lines}`;
    const answer = await getFromServer({ path, url }, shell);
    if (!answer.ok) return answer;
    if (Value.Check(ServerLogs, answer.body)) return { ok: true, logs: answer.body.logs };
    return { ok: false, problem: "the server answers in a form that is not known here" };
  }
  try {
    return await readAlone(own, name, lines);
  } finally {
    taken.lock.release();
  }
}

const ServerLogs = Type.Object({ logs: Type.Record(Type.String(), Type.Array(Type.String())) });

async function readAlone({ driver }: OwnRuntimes, name: string, lines: number): Promise<Read> {
  const key = readServerKey(driver.directory(name));
  const machine = createMachineCalls({ driver, name, nonce: () => Bun.randomUUIDv7() });
  const report = await machine.readLogs(lines, key === null ? [] : [key]);
  if (report.kind === "ok") return { ok: true, logs: report.logs };
  return { ok: false, problem: report.fault.message };
}
