import { readableDuration } from "../../lib/durations.ts";
import { EXIT, type Words } from "../command.ts";
import type { Shell } from "../terminal/shell.ts";
import { table } from "../terminal/table.ts";
import { type Kept, keptIn, removeKept } from "./kept-files.ts";
import type { OwnRuntimes } from "./own.ts";

/** The subject that stands for all that is of no more use. */
const LEFTOVERS = "leftovers";

/**
 * Lists what runtimes keep on this computer; `gc` lists what of it is of no more use. Nothing is deleted
 * but what `--remove` names.
 */
export async function runCache(
  own: OwnRuntimes,
  subject: string | undefined,
  words: Words,
  shell: Shell,
): Promise<number> {
  const kept = await keptIn(own);
  const named = words.values["remove"];
  if (named !== undefined) return remove({ own, kept, named, words }, shell);
  const shown = subject === "gc" ? kept.filter(({ use }) => use === "none") : kept;
  tell(shown, words, shell);
  if (shown.some(({ use }) => use === "none") && !words.flags.has("json")) {
    shell.complain(
      `to remove what is of no more use: veriroute runtimes cache --remove ${LEFTOVERS}`,
    );
  }
  return EXIT.ok;
}

interface Removal {
  readonly own: OwnRuntimes;
  readonly kept: readonly Kept[];
  readonly named: string;
  readonly words: Words;
}

async function remove({ own, kept, named, words }: Removal, shell: Shell): Promise<number> {
  const meant = kept.filter(({ name, use }) =>
    named === LEFTOVERS ? use === "none" : name === named && use !== "history",
  );
  if (meant.length === 0 && named !== LEFTOVERS) {
    return failed(`nothing that can be removed is called \`${named}\``, shell);
  }
  const busy = meant.find(({ use }) => use === "runtime");
  if (busy !== undefined) {
    const why = `\`${busy.name}\` is in use; \`veriroute runtimes status\` shows by what`;
    return failed(why, shell);
  }
  const removed: Kept[] = [];
  for (const one of meant) if (await removeKept(own, one)) removed.push(one);
  tell(removed, words, shell);
  if (removed.length === meant.length) return EXIT.ok;
  const left = meant.filter((one) => !removed.includes(one)).map(({ name }) => name);
  return failed(`in use meanwhile, and left alone: ${left.join(", ")}`, shell);
}

function tell(kept: readonly Kept[], words: Words, shell: Shell): void {
  if (words.flags.has("json")) return shell.print(JSON.stringify({ items: kept }));
  if (kept.length === 0) return shell.print("nothing");
  const now = shell.clock.now();
  const rows = kept.map(({ name, kind, bytes, changed_at, use, detail, path }) => [
    name,
    KINDS[kind],
    `${Math.ceil(bytes / 1024)} KiB`,
    changed_at === null ? "?" : readableDuration(Math.max(now - changed_at, 0)),
    detail === "" ? USES[use] : `${USES[use]}: ${detail}`,
    path,
  ]);
  shell.print(table([["NAME", "WHAT", "SIZE", "AGE", "USE", "PATH"], ...rows]));
}

const KINDS: Readonly<Record<Kept["kind"], string>> = {
  baked: "prepared for starts",
  plan: "plan that came up",
  store: "session and keys",
  lease: "released lease",
};

const USES: Readonly<Record<Kept["use"], string>> = {
  runtime: "in use",
  starts: "used by starts",
  history: "kept, the last 100",
  none: "of no more use",
};

function failed(problem: string, shell: Shell): number {
  shell.complain(`veriroute runtimes: ${problem}`);
  return EXIT.failed;
}
