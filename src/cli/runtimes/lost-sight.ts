import { isBilling } from "../../runtimes/lease.ts";
import { billingNotice } from "../../runtimes/policy/words.ts";
import { EXIT } from "../command.ts";
import { paint } from "../terminal/color.ts";
import type { Shell } from "../terminal/shell.ts";
import type { OwnRuntimes } from "./own.ts";

interface Lost {
  readonly own: OwnRuntimes;
  readonly name: string;
  /** Of a server elsewhere, whose leases cannot be read from here. */
  readonly url: string | undefined;
  readonly problem: string;
}

/** For a server that went away while a runtime of its was followed: says what may cost money, and the way out. */
export async function sayLostSight({ own, name, url, problem }: Lost, shell: Shell) {
  shell.complain(`veriroute runtimes: ${problem}`);
  const notice = await noticeOf(own, name, url);
  if (notice !== null) {
    shell.complain(paint(shell, "red", notice));
    shell.complain(`\`veriroute runtimes down ${name}\` releases it, without a server too`);
  }
  return EXIT.failed;
}

/** Null for one that costs nothing, as far as its lease says. */
async function noticeOf({ leases }: OwnRuntimes, name: string, url: string | undefined) {
  if (url !== undefined) return `MAY STILL BE BILLING ${name}: ask the server at ${url}`;
  const file = await leases.read(name);
  if (file === null) return null;
  if (file.kind === "unreadable") return `MAY STILL BE BILLING ${name}: ${file.reason}`;
  return isBilling(file.lease.phase) ? billingNotice(file.lease) : null;
}

export const wordsOf = (error: unknown) => (error instanceof Error ? error.message : String(error));
