import { assemble, type RuntimeParts } from "./assemble.ts";
import { CLOSED } from "./gate.ts";
import type { RuntimesDependencies } from "./runtimes-dependencies.ts";

/** Long enough for a stop, two listings 30 s apart, and another try. */
const CLOSE_MS = 180_000;

interface Life {
  /** Null until something has to be watched. */
  readonly parts: () => RuntimeParts | null;
  /** Settles once what was left by earlier processes has been looked at. */
  readonly begin: () => Promise<RuntimeParts>;
  /** No tick comes any more. */
  readonly stop: () => void;
}

export function createLife(dependencies: RuntimesDependencies): Life {
  const stopping = new AbortController();
  let begun: Promise<RuntimeParts> | null = null;
  let parts: RuntimeParts | null = null;

  async function beginWith(made: RuntimeParts): Promise<RuntimeParts> {
    try {
      await made.supervisor.start();
    } catch (error) {
      const { log } = dependencies;
      log.error({ err: error }, "the start of the supervisor failed; its ticks come all the same");
    }
    void made.supervisor.run(stopping.signal);
    return made;
  }

  return {
    parts: () => parts,
    async begin() {
      if (begun === null && stopping.signal.aborted) throw new Error(CLOSED);
      begun ??= beginWith((parts = assemble(dependencies)));
      return begun;
    },
    stop: () => stopping.abort(),
  };
}

/** What `billing` says if it takes too long or fails. */
export async function closeWithin(
  { supervisor, gate }: RuntimeParts,
  { pause, log }: RuntimesDependencies,
  billing: () => readonly string[],
): Promise<readonly string[]> {
  const limit = new AbortController();
  const over = new AbortController();
  const tooLate = async () => {
    await pause(CLOSE_MS, over.signal);
    limit.abort();
    return billing();
  };
  try {
    const closed = gate.close().then(() => supervisor.close(limit.signal));
    return await Promise.race([closed, tooLate()]);
  } catch (error) {
    log.error({ err: error }, "the supervisor could not be closed");
    return billing();
  } finally {
    over.abort();
  }
}
