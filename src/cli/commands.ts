import { backup } from "./backup.ts";
import { canary } from "./canary.ts";
import { check } from "./check.ts";
import type { Command } from "./command.ts";
import { demo } from "./demo.ts";
import { doctor } from "./doctor.ts";
import { explain } from "./explain.ts";
import { init } from "./init.ts";
import { inspect } from "./inspect.ts";
import { keys } from "./keys.ts";
import { runtimes } from "./runtimes.ts";
import { serve } from "./serve.ts";
import { setup } from "./setup.ts";
import { version } from "./version.ts";

/** Every command there is, in the order of the help text. */
export const COMMANDS: readonly Command[] = [
  serve,
  demo,
  init,
  setup,
  check,
  doctor,
  explain,
  inspect,
  keys,
  canary,
  runtimes,
  backup,
  version,
];
