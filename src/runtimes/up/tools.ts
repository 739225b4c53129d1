import type { ColabDriver } from "../colab/driver.ts";
import { faultText } from "./step.ts";

export interface ToolsRequest {
  readonly driver: Pick<ColabDriver, "checkProgram" | "checkLogin">;
  /** Where programs are looked for. */
  readonly path: string;
}

/** What is missing on this machine, with the fix; null if nothing is. */
export async function missingTool({ driver, path }: ToolsRequest): Promise<string | null> {
  const tool = missingSsh(path);
  if (tool !== null) return tool;
  const program = await driver.checkProgram();
  if (program.kind === "failed") return faultText(program.fault);
  const login = await driver.checkLogin();
  return login.kind === "failed" ? faultText(login.fault) : null;
}

/** Without it no machine can be reached. */
export function missingSsh(path: string): string | null {
  const missing = ["ssh", "ssh-keygen"].find((name) => Bun.which(name, { PATH: path }) === null);
  return missing === undefined
    ? null
    : `\`${missing}\` is not on the path; install the OpenSSH client`;
}
