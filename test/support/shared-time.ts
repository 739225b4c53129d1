/** One time for several processes of a test, in which a disk that is slow makes nobody late; and their deaths. */
import type { BakedFiles } from "../../src/runtimes/bake/baked-files.ts";
import type { Leases } from "../../src/runtimes/leases/open-leases.ts";
import type { Pause } from "../../src/runtimes/pause.ts";
import type { ColabRig } from "./colab-rig.ts";

/** The same calls, of which none comes to its end once their process is dead. */
export function whileAlive<Calls extends object>(calls: Calls, isAlive: () => boolean): Calls {
  const never = new Promise<never>(() => undefined);
  return new Proxy(calls, {
    get(target, name) {
      const call: unknown = Reflect.get(target, name);
      if (typeof call !== "function") return call;
      return (...given: readonly unknown[]) => {
        const result: unknown = Reflect.apply(call, target, given);
        if (!(result instanceof Promise)) return result;
        return isAlive() ? result.then((value: unknown) => (isAlive() ? value : never)) : never;
      };
    },
  });
}

/** The same files; while one is read or written, the clock stands still. */
export function standingFiles({ during }: SharedTime, files: BakedFiles): BakedFiles {
  return {
    read: during(files.read),
    readPart: during(files.readPart),
    list: during(files.list),
    remove: during(files.remove),
    begin: during(async (key) => {
      const { addPart, finish, discard } = await files.begin(key);
      return { addPart: during(addPart), finish: during(finish), discard: during(discard) };
    }),
  };
}

/** The same leases; while one is read or written, the clock stands still. */
export function standingLeases({ during }: SharedTime, leases: Leases): Leases {
  return {
    list: during(leases.list),
    read: during(leases.read),
    create: during(leases.create),
    update: during(leases.update),
    catchUp: during(leases.catchUp),
    archive: during(leases.archive),
    sweep: during(leases.sweep),
    lock: leases.lock,
  };
}

export interface SharedTime {
  /** Settles once no file is read or written. */
  readonly filesAreStill: () => Promise<void>;
  /** The same call; until it settles, the clock stands still. */
  readonly during: <Given extends readonly unknown[], T>(
    act: (...given: Given) => Promise<T>,
  ) => (...given: Given) => Promise<T>;
  /**
   * A pause of one process. One with a signal other than `limit` is that of its ticks: they come on the way
   * of the others and alone move no clock, so that a process nobody ends does not go on for ever.
   */
  readonly pauseUntil: (limit: AbortSignal) => Pause;
}

interface Waiting {
  readonly at: number;
  readonly isTick: boolean;
  readonly end: () => void;
}

/**
 * The time of all who wait. It moves to whoever is next once nobody has anything left to do, and a file that is
 * read or written is something to do: a disk that is slow makes nobody late.
 */
export function sharedTime({ clock, move }: Pick<ColabRig, "clock" | "move">): SharedTime {
  const waiting = new Set<Waiting>();
  const pending = new Set<Promise<unknown>>();
  let isMoving = false;

  async function everyoneWaits(): Promise<void> {
    do {
      await Promise.allSettled(pending);
      // Comes after all that follows from what has settled.
      await new Promise<void>((resolve) => setImmediate(resolve));
    } while (pending.size > 0);
  }

  async function moveOn(): Promise<void> {
    if (isMoving) return;
    isMoving = true;
    await everyoneWaits();
    while ([...waiting].some(({ isTick }) => !isTick)) {
      const [next] = [...waiting].toSorted((one, other) => one.at - other.at);
      move(Math.max((next?.at ?? 0) - clock.now(), 0));
      next?.end();
      await everyoneWaits();
    }
    isMoving = false;
  }

  return {
    async filesAreStill() {
      while (pending.size > 0) await Promise.allSettled(pending);
    },
    during:
      (act) =>
      async (...given) => {
        const call = act(...given);
        pending.add(call);
        try {
          return await call;
        } finally {
          pending.delete(call);
        }
      },
    pauseUntil: (limit) => async (ms, signal) => {
      if (signal?.aborted === true) return;
      const { promise, resolve } = Promise.withResolvers<void>();
      const isTick = signal !== undefined && signal !== limit;
      const one = { at: clock.now() + ms, isTick, end: resolve };
      waiting.add(one);
      signal?.addEventListener("abort", () => resolve(), { once: true });
      void moveOn();
      await promise;
      waiting.delete(one);
    },
  };
}
