import { EXIT } from "../command.ts";
import type { Shell } from "../terminal/shell.ts";

/** Says why nothing is baked: no money is spent on a cache that no start could use. */
export async function runBake(shell: Shell): Promise<number> {
  for (const line of REASONS) shell.complain(line);
  return EXIT.failed;
}

const REASONS = [
  "veriroute runtimes: nothing is prepared, and nothing was rented",
  "What one machine installs could only be kept for the next on a Drive. Colab mounts a Drive after a",
  "person has agreed in a browser, on every machine anew, so an unattended start could never use it.",
  "A start installs and downloads on the machine; `veriroute runtimes estimate` says how much.",
];
