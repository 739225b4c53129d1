import { isBilling } from "../../runtimes/lease.ts";
import { knownLeases } from "../../runtimes/leases/other-leases.ts";
import { isOfAccount, OTHER_ACCOUNT } from "../../runtimes/policy/absence.ts";
import { orphansOf } from "../../runtimes/policy/orphans.ts";
import { type RuntimeView, viewOfFile } from "../../runtimes/views.ts";
import { EXIT, type Words } from "../command.ts";
import type { Shell } from "../terminal/shell.ts";
import type { OwnRuntimes } from "./own.ts";
import { runtimeTable } from "./runtime-table.ts";

type Asked = Pick<OwnRuntimes, "leases" | "driver" | "watcherOf">;

/** What there is, from the lease files alone; with `--check` Colab is asked, too. */
export async function runStatus(own: Asked, words: Words, shell: Shell): Promise<number> {
  const views = await viewsOf(own, shell.clock.now());
  const check = words.flags.has("check") ? await askColab(own) : null;
  if (words.flags.has("json")) {
    shell.print(JSON.stringify({ items: views, machines: check?.machines ?? null }));
  } else {
    shell.print(views.length === 0 ? "no runtimes" : runtimeTable(views, shell));
    if (check !== null) shell.print(checkText(check));
    for (const name of check?.elsewhere ?? [])
      shell.print(`of ${name} that says nothing: ${OTHER_ACCOUNT}`);
  }
  if (check?.problem == null) return EXIT.ok;
  shell.complain(`veriroute runtimes: it cannot be told what runs: ${check.problem}`);
  return EXIT.failed;
}

async function viewsOf({ leases, watcherOf }: Asked, now: number): Promise<readonly RuntimeView[]> {
  const files = await leases.list();
  return files.map((file) => viewOfFile(file, { now, watched_by: watcherOf(file.name) }));
}

interface Machine {
  readonly endpoint: string;
  readonly hardware: string;
  /** The runtime that it is; null where no lease accounts for it. */
  readonly runtime: string | null;
  /** How to take it over; null for one that is accounted for. */
  readonly command: string | null;
}

interface Check {
  readonly machines: readonly Machine[];
  /** Names of leases that cannot be read: one that none accounts for may be theirs. */
  readonly unreadable: readonly string[];
  /** Names of runtimes that this listing says nothing of. */
  readonly elsewhere: readonly string[];
  /** Why what is missing may exist all the same; null if it does not. */
  readonly problem: string | null;
}

async function askColab({ driver, leases }: Asked): Promise<Check> {
  const { listing, fault } = await driver.list();
  const { known, unreadable } = await knownLeases(leases);
  const orphans = orphansOf(listing, known);
  const machines = listing.sessions.map((session) => {
    const { endpoint, hardware } = session;
    const orphan = orphans.find((one) => one.session.endpoint === endpoint);
    const lease = known.find((one) => one.endpoint === endpoint);
    return { endpoint, hardware, runtime: lease?.name ?? null, command: orphan?.command ?? null };
  });
  const reason = listing.kind === "doubtful" ? listing.reason : null;
  const elsewhere = known
    .filter((lease) => isBilling(lease.phase) && !isOfAccount(lease, listing))
    .map(({ name }) => name);
  return { machines, unreadable, elsewhere, problem: fault?.message ?? reason };
}

function checkText({ machines, unreadable, problem }: Check): string {
  if (machines.length === 0) return problem === null ? "Colab lists no machine" : "";
  const theirs = unreadable
    .map((name) => ` that of \`${name}\`, whose lease cannot be read,`)
    .join("");
  return machines
    .map(({ endpoint, hardware, runtime, command }) =>
      command === null
        ? `Colab lists ${endpoint} (${hardware}): ${runtime ?? "perhaps one of the above"}`
        : `Colab lists ${endpoint} (${hardware}), which no lease accounts for: a notebook of yours,${theirs} or ${command}`,
    )
    .join("\n");
}
