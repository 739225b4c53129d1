import type { Static } from "@sinclair/typebox";

import type { Words } from "../command.ts";
import { EXIT } from "../command.ts";
import type { Shell } from "../terminal/shell.ts";
import { askServer, show } from "./ask-server.ts";
import { printDryRun, printRound } from "./print.ts";
import { Begun, CanaryView, DryRunView, RoundList } from "./views.ts";

const LOOK_MS = 250;
/** More than the longest round of sixty endpoints that are all slow. */
const MAX_LOOKS = 4 * 3600;

/** Has a round run and shows how it came out, or what one would send. */
export async function run(words: Words, shell: Shell): Promise<number> {
  if (words.flags.has("dry-run")) {
    const plan = await askServer({ path: "/dry-run", schema: DryRunView }, words, shell);
    return show(plan, (shown) => printDryRun(shown, shell), { words, shell });
  }
  const begun = await askServer({ path: "/run", body: {}, schema: Begun }, words, shell);
  if (begun === undefined) return EXIT.failed;
  const { round_n, started } = begun;
  const state = started ? "has begun" : "is under way already";
  if (!words.flags.has("json")) shell.complain(`round ${round_n} ${state}; it may take minutes`);
  if (!(await isOver(round_n, words, shell))) return EXIT.failed;
  const listed = await askServer({ path: "/rounds?limit=500", schema: RoundList }, words, shell);
  return show(listed && roundIn(listed, round_n), (shown) => printRound(shown, shell), {
    words,
    shell,
  });
}

/** The rows of one round as they were asked about: controls first, then by name. */
function roundIn({ items }: Static<typeof RoundList>, round_n: number): Static<typeof RoundList> {
  const nameOf = ({ role, endpoint }: (typeof items)[number]) => `${role} ${endpoint}`;
  return {
    items: items
      .filter((row) => row.round_n === round_n)
      .toSorted((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1)),
  };
}

/** Waits for the end of a round; false if the server went away, or nothing was asked. */
async function isOver(round_n: number, words: Words, shell: Shell): Promise<boolean> {
  for (let look = 0; look < MAX_LOOKS; look++) {
    const canary = await askServer({ path: "", schema: CanaryView }, words, shell);
    if (canary === undefined) return false;
    if (canary.round !== null && canary.round.n >= round_n) return true;
    if (canary.round?.is_running !== true) {
      shell.complain("veriroute canary: nobody could be asked; the server's log says why");
      return false;
    }
    await Bun.sleep(LOOK_MS);
  }
  shell.complain(`veriroute canary: round ${round_n} is still under way`);
  return false;
}
