/** What tests of whole lives ask of a runtime named `gpu`. */
import { readFileSync } from "node:fs";
import { join } from "node:path";

import { filesBelow, filesWith, processTexts, textsIn } from "./marker-scan.ts";
import { askRented, HF_TOKEN, type Rented } from "./rented.ts";
import { until } from "./until.ts";

export const phaseOf = (made: Rented) => made.lease("gpu")?.["phase"];

export const endpointOf = (made: Rented) => String(made.lease("gpu")?.["endpoint"]);

/** Of the ssh that its lease names. */
export const sshOf = (made: Rented) => Number(made.lease("gpu")?.["tunnel_pid"]);

/** Who took machines off the bill, in that order. */
export function releasedBy({ colab }: Rented): readonly string[] {
  return colab.server.transact(({ releases }) => releases.map(({ by }) => by));
}

/** A process that nobody has waited for is a zombie, which runs no more. */
export function isRunning(pid: number): boolean {
  try {
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
}

/** An answer of the rented model, once it gives one. */
export function untilAnswered(url: string): Promise<string> {
  return until(async () => {
    const text = await (await askRented(url, "gpu")).text();
    return text.includes("rented words") ? text : undefined;
  });
}

/**
 * Secrets of the runtime and of its user, to be looked for as long as it lives; what is found is where
 * they were found. The one file that is theirs does not count.
 */
export function leaksOf(made: Rented) {
  const own = join(made.state_dir, "colab/gpu/server-key");
  const secrets = [readFileSync(own, "utf8"), HF_TOKEN, "ya29.fake-bearer-token"];
  return (said: readonly string[]): readonly string[] => [
    ...textsIn(secrets, said).map(() => "said"),
    ...textsIn(secrets, processTexts(join(made.state_dir, "colab"))).map(() => "processes"),
    ...textsIn(
      secrets,
      made.colab.calls().map((call) => JSON.stringify(call)),
    ).map(() => "calls"),
    ...filesWith(secrets, filesBelow(made.state_dir)).filter((path) => path !== own),
  ];
}
