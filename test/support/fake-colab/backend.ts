import { existsSync, linkSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

import { endMachine } from "./living.ts";
import { advance, type FakeState, initialState } from "./state.ts";

export interface FakeServer {
  /** The fake's clock. */
  readonly now: () => number;
  /** Looks at and changes the truth, which is up to date; nobody else does meanwhile. */
  readonly transact: <T>(change: (state: FakeState, now: number) => T) => T;
}

/** For one process, with any clock. */
export function memoryServer(now: () => number): FakeServer {
  const state = initialState();
  return {
    now,
    transact(change) {
      const at = now();
      advance(state, at);
      return change(state, at);
    },
  };
}

/** Shared by all processes that name the same file; its clock is the real one, moved by the file's offset. */
export function fileServer(path: string): FakeServer {
  const read = (): FakeState =>
    existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : initialState();
  return {
    now: () => Date.now() + read().clock_offset_ms,
    transact(change) {
      const endTurn = takeTurn(`${path}.lock`);
      const state = read();
      const before = state.machines;
      try {
        const at = Date.now() + state.clock_offset_ms;
        advance(state, at);
        return change(state, at);
      } finally {
        // What a change did before it threw counts too.
        writeFileSync(`${path}.new`, JSON.stringify(state, null, 2));
        renameSync(`${path}.new`, path);
        endTurn();
        endGone(before, state);
      }
    },
  };
}

function endGone(before: FakeState["machines"], { machines, place }: FakeState): void {
  if (place === null) return;
  const lives = new Set(machines.map(({ endpoint }) => endpoint));
  for (const { endpoint } of before) if (!lives.has(endpoint)) endMachine(place, endpoint);
}

const PAUSE_MS = 2;

/** A lock whose owner was killed is taken over; it never is there without its owner's number. */
function takeTurn(path: string): () => void {
  const own = `${path}.${process.pid}`;
  for (;;) {
    try {
      writeFileSync(own, String(process.pid));
      linkSync(own, path);
      rmSync(own, { force: true });
      return () => rmSync(path, { force: true });
    } catch (error) {
      // The test is over, and its directory with it.
      if (!existsSync(dirname(path))) throw error;
      if (isLeft(path)) rmSync(path, { force: true });
      Bun.sleepSync(PAUSE_MS);
    }
  }
}

/** Whether its owner has ended; one that was released meanwhile is nobody's to remove. */
function isLeft(path: string): boolean {
  const pid = ownerOf(path);
  if (pid === null) return false;
  try {
    process.kill(pid, 0);
    return false;
  } catch {
    return true;
  }
}

function ownerOf(path: string): number | null {
  try {
    return Number(readFileSync(path, "utf8"));
  } catch {
    return null;
  }
}
