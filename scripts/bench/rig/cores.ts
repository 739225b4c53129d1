/** Which processor runs what: the gateway alone on one, load generator and upstream on another. */

export interface Cores {
  readonly gateway: number;
  readonly load: number;
}

/** The first two processors this process may use, or null where there is one or no `taskset`. */
export function findCores(): Cores | null {
  if (Bun.which("taskset") === null) return null;
  const { stdout } = Bun.spawnSync(["taskset", "-pc", String(process.pid)]);
  const [gateway, load] = readList(stdout.toString().split(":").at(-1) ?? "");
  return gateway === undefined || load === undefined ? null : { gateway, load };
}

/** Reads `0,2-4` as 0 2 3 4. */
function readList(text: string): number[] {
  return text
    .trim()
    .split(",")
    .flatMap((part) => {
      const [from = Number.NaN, to = from] = part.split("-").map(Number);
      return Array.from({ length: to - from + 1 }, (_, index) => from + index);
    });
}

/** Pins every thread of this process, and so all it starts from now on that is not pinned elsewhere. */
export function pinSelf(core: number): void {
  Bun.spawnSync(["taskset", "-apc", String(core), String(process.pid)]);
}

/** The words of a command that runs on one processor; as they are without one. */
export function onCore(core: number | null, words: readonly string[]): string[] {
  return core === null ? [...words] : ["taskset", "-c", String(core), ...words];
}
