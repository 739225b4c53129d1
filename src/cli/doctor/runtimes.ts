import { createCommands } from "../../runtimes/create-commands.ts";
import { ownDriver } from "../../runtimes/places.ts";
import type { RuntimeSettings } from "../../runtimes/policy/settings.ts";
import { missingSsh } from "../../runtimes/up/tools.ts";
import { createLog } from "../../telemetry/log.ts";
import type { Shell } from "../terminal/shell.ts";
import { type DoctorCheck, fail, ok } from "./check.ts";

export interface RuntimesCheck {
  readonly state_dir: string;
  readonly settings: RuntimeSettings;
}

/** What renting a GPU needs of this machine; nothing is looked at while it is switched off. */
export async function checkRuntimes(
  { state_dir, settings }: RuntimesCheck,
  { clock, env }: Pick<Shell, "clock" | "env">,
): Promise<readonly DoctorCheck[]> {
  if (!settings.enabled) return [];
  const log = createLog({ level: "silent", destination: { write: () => undefined } });
  const { run } = createCommands({ log, clock });
  const driver = ownDriver({ state_dir, env, settings, run, clock });
  const ssh = missingSsh(env["PATH"] ?? "");
  return [
    checkColab(await driver.checkProgram()),
    ssh === null ? ok("ssh", "the OpenSSH client is there") : fail("ssh", ...halves(ssh)),
  ];
}

type Program = Awaited<ReturnType<ReturnType<typeof ownDriver>["checkProgram"]>>;

function checkColab(program: Program): DoctorCheck {
  if (program.kind === "ok") return ok("colab", `version ${program.version}, ${program.path}`);
  const { message, detail } = program.fault;
  const [what, fix] = halves(message);
  return fail("colab", detail === "" ? what : `${what} (${detail})`, fix);
}

/** What is wrong, and what to do about it. */
function halves(sentence: string): [string, string] {
  const [what = "", ...fix] = sentence.split("; ");
  return [what, fix.join("; ") || "see docs/colab.md"];
}
