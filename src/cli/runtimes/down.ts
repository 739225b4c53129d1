import { readableDuration } from "../../lib/durations.ts";
import { isBilling, type Lease } from "../../runtimes/lease.ts";
import { tryLock, WITHOUT_LOCK } from "../../runtimes/leases/try-lock.ts";
import { systemPause } from "../../runtimes/pause.ts";
import { releaseAlone } from "../../runtimes/release-alone.ts";
import { EXIT, type Words } from "../command.ts";
import { callServer } from "../server/server-call.ts";
import { paint } from "../terminal/color.ts";
import type { Shell } from "../terminal/shell.ts";
import { followRelease } from "./follow.ts";
import { sayLostSight, wordsOf } from "./lost-sight.ts";
import type { OwnRuntimes } from "./own.ts";

/**
 * Releases a runtime: through the process that answers for it, or right here where there is none or it
 * does not answer.
 */
export async function runDown(
  own: OwnRuntimes,
  name: string,
  words: Words,
  shell: Shell,
): Promise<number> {
  const url = words.values["url"];
  if (url !== undefined) return throughServer({ own, name, shell, url, fallback: null });
  const file = await own.leases.read(name);
  if (file === null) {
    // Whoever answers for one knows of it, whatever became of its file.
    if (own.watcherOf(name) !== null) {
      return throughServer({ own, name, shell, url: undefined, fallback: null });
    }
    return failed(
      `there is no runtime \`${name}\`; \`veriroute runtimes status\` lists them`,
      shell,
    );
  }
  if (file.kind === "unreadable") {
    return failed(
      `the lease of \`${name}\` cannot be read (${file.reason}); MAY STILL BE BILLING: release it under Manage sessions in Colab, then remove the file`,
      shell,
    );
  }
  const { lease } = file;
  const taken = tryLock(own.leases, name);
  if (taken.kind === "acquired") return alone(own, { lease, lock: taken.lock }, shell);
  if (taken.kind === "untakeable") {
    shell.complain(`${taken.reason} It is released all the same.`);
    return alone(own, { lease, lock: WITHOUT_LOCK }, shell);
  }
  const fallback = { lease, pid: taken.holder.pid };
  return throughServer({ own, name, shell, url: undefined, fallback });
}

function failed(problem: string, shell: Shell): number {
  shell.complain(`veriroute runtimes: ${problem}`);
  return EXIT.failed;
}

interface Asking {
  readonly own: OwnRuntimes;
  readonly name: string;
  readonly shell: Shell;
  readonly url: string | undefined;
  /** What is known without the server; null where that is another machine's. */
  readonly fallback: { readonly lease: Lease; readonly pid: number } | null;
}

async function throughServer({ own, name, shell, url, fallback }: Asking): Promise<number> {
  const path = `/admin/v1/runtimes/${name}/down`;
  const answer = await callServer({ path, url, body: {} }, shell);
  if (answer.ok) {
    try {
      return await followRelease({ name, url }, shell);
    } catch (error) {
      return sayLostSight({ own, name, url, problem: wordsOf(error) }, shell);
    }
  }
  // It answered and said no: it knows better.
  if (answer.status !== undefined || fallback === null) return failed(answer.problem, shell);
  const { lease, pid } = fallback;
  shell.complain(`process ${pid} answers for ${name} and does not answer (${answer.problem})`);
  shell.complain("asking Colab from here; its lease stays as it is until that process looks");
  return alone(withoutWriting(own), { lease, lock: { release: () => undefined } }, shell);
}

/** Who holds the lock writes the lease: what happens here is for this process only. */
function withoutWriting(own: OwnRuntimes): OwnRuntimes {
  const { leases, driver } = own;
  let changed: Lease | null = null;
  return {
    ...own,
    driver: { ...driver, forget: async () => undefined },
    leases: {
      ...leases,
      archive: async () => undefined,
      async update(name, change) {
        const file = await leases.read(name);
        if (file?.kind !== "lease") throw new Error(`the lease of \`${name}\` is gone`);
        const before = changed ?? file.lease;
        const { event: _event, ...fields } = change(before);
        return (changed = { ...before, ...fields });
      },
    },
  };
}

function leftOver(name: string): string {
  return `its lease could not be put away and still says otherwise; once the disk takes files, \`veriroute runtimes down ${name}\` does so, and so does \`veriroute serve\``;
}

interface Held {
  readonly lease: Lease;
  readonly lock: { release(): void };
}

async function alone(own: OwnRuntimes, held: Held, shell: Shell): Promise<number> {
  const { name, phase } = held.lease;
  if (isBilling(phase)) shell.complain(`releasing ${name}; the proof takes half a minute`);
  const outcome = await releaseAlone(
    {
      ...own,
      run: own.commands.run,
      clock: shell.clock,
      pause: systemPause,
      path: shell.env["PATH"] ?? "",
      onAttempt: (notice, wait_ms) => {
        shell.complain(paint(shell, "red", notice));
        shell.complain(`trying again in ${readableDuration(wait_ms)}`);
      },
    },
    held,
  );
  if (outcome.kind === "released") {
    shell.print(`${name} is released: two listings lack its machine`);
    if (held.lock === WITHOUT_LOCK) shell.complain(leftOver(name));
    return EXIT.ok;
  }
  shell.complain(paint(shell, "red", outcome.notice));
  shell.complain(
    `it is tried again by \`veriroute runtimes down ${name}\`, and by \`veriroute serve\` until it is proven`,
  );
  return EXIT.failed;
}
