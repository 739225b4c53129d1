import { parseDuration } from "../lib/durations.ts";
import type { CheckInput, Findings } from "./check.ts";
import type { Finding } from "./problem.ts";

/** A watchdog that waits through a missed heartbeat, and deadlines in their order. */
export function checkRuntimes({ config: { runtimes } }: CheckInput): Findings {
  const problems: Finding[] = [];
  const { max_idle, max_life, heartbeat, heartbeat_ttl } = runtimes;
  if (ms(max_idle) > ms(max_life)) {
    problems.push({
      path: ["runtimes", "max_idle"],
      message: `\`${max_idle}\` is longer than \`runtimes.max_life\`, \`${max_life}\``,
      hint: "raise `max_life` or lower `max_idle`",
    });
  }
  if (ms(heartbeat) * 2 > ms(heartbeat_ttl)) {
    problems.push({
      path: ["runtimes", "heartbeat"],
      message: `\`${heartbeat}\` is more than half of \`runtimes.heartbeat_ttl\`, \`${heartbeat_ttl}\`: one lost heartbeat would release the machine`,
      hint: "raise `heartbeat_ttl` or lower `heartbeat`",
    });
  }
  return { problems, warnings: [] };
}

const ms = (text: string) => parseDuration(text) ?? 0;
