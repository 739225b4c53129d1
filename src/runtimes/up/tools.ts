import type { ColabDriver } from "../colab/driver.ts";
import { faultText } from "./step.ts";

export interface ToolsRequest {
  readonly driver: Pick<ColabDriver, "checkProgram" | "checkLogin">;
  /** Where programs are looked for. */
  readonly path: string;
}

/** What is missing on this machine, with the fix; null if nothing is. */
export async function missingTool({ driver, path }: ToolsRequest): Promise<string | null> {
  return missingSsh(path) ?? (await missingColab(driver));
}

/** Why `colab` cannot be used, with the fix; null if it can. */
export async function missingColab(driver: ToolsRequest["driver"]): Promise<string | null> {
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
