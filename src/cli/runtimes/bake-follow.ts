import type { BakeStarted } from "../../runtimes/bake/start-bake.ts";
import { systemPause } from "../../runtimes/pause.ts";
import { billingNotice } from "../../runtimes/policy/words.ts";
import { viewOf } from "../../runtimes/views.ts";
import { EXIT } from "../command.ts";
import { paint } from "../terminal/color.ts";
import type { Shell } from "../terminal/shell.ts";
import { follow, type Look } from "./follow.ts";
import type { OwnRuntimes } from "./own.ts";

export interface FollowedBake {
  readonly own: OwnRuntimes;
  readonly name: string;
  readonly started: Extract<BakeStarted, { ok: true }>;
}

/** Longer than a machine whose answer was lost may take to be listed; whoever ends it waits less long. */
const PROOF_MS = 6 * 60_000;
const STOPPED_MS = 3 * 60_000;

/** Shows how far it is, until its machine is proven gone; why nothing came of it, or null. */
export async function followBake(followed: FollowedBake, shell: Shell): Promise<string | null> {
  const { own, name, started } = followed;
  const signals = stopBySignal(started, shell);
  let isOver = false;
  const showing = follow(lookAt(followed, shell), () => isOver, shell);
  try {
    const outcome = await started.outcome;
    const limit = new AbortController();
    void systemPause(signals.came() ? STOPPED_MS : PROOF_MS, limit.signal).then(() =>
      limit.abort(),
    );
    const notices = await started.close(limit.signal);
    limit.abort();
    for (const notice of notices) shell.complain(paint(shell, "red", notice));
    if (notices.length > 0) {
      return `the lease is kept in ${own.state_dir}; \`veriroute runtimes down ${name}\` goes on with the release, and so does \`veriroute serve\``;
    }
    if (outcome.kind === "failed") return `${outcome.message}; it costs nothing any more`;
    return outcome.kind === "ended"
      ? "it was ended before it was done; it costs nothing any more"
      : null;
  } finally {
    isOver = true;
    signals.forget();
    await showing;
  }
}

function lookAt({ own, name }: FollowedBake, shell: Shell): Look {
  return async () => {
    const file = await own.leases.read(name);
    if (file?.kind !== "lease") return null;
    const viewing = { now: shell.clock.now(), watched_by: process.pid };
    const { doubts: _doubts, ...known } = viewOf(file.lease, viewing);
    return known;
  };
}

/** The first one gives the machine back; a second one ends at once, and says what may cost money. */
function stopBySignal({ stop, billing }: FollowedBake["started"], shell: Shell) {
  let came = false;
  const act = (name: (typeof SIGNALS)[number]) => {
    if (!came) {
      came = true;
      shell.complain(
        "giving the machine back; the proof takes half a minute, again to end at once",
      );
      void stop();
      return;
    }
    // A terminal that is closed may send it twice, from its shell too.
    if (name === "SIGHUP") return;
    const lease = billing();
    if (lease !== null) shell.complain(paint(shell, "red", billingNotice(lease)));
    process.exit(EXIT.failed);
  };
  for (const name of SIGNALS) process.on(name, act);
  return {
    came: () => came,
    forget() {
      for (const name of SIGNALS) process.off(name, act);
    },
  };
}

/** The last one comes when the terminal is closed. */
const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
