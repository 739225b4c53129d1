/** The official command's own words, as version 0.7.5 prints them. */

export interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export function said(stdout: string, code = 0): Outcome {
  return { code, stdout, stderr: "" };
}

export function complained(stderr: string, code = 1): Outcome {
  return { code, stdout: "", stderr };
}

const API = "https://colab.research.google.com";

export const NO_SESSIONS = "[colab] No active sessions found on server.\n";

export const ADC_HELP =
  "No valid default credentials found. To authenticate, run:\n\n  gcloud auth application-default login \\\n      --scopes=openid\n\n";

export function unknownSession(name: string): string {
  return `[colab] Session '${name}' not found.\n`;
}

export const BANNER = `
[colab] A new version of Colab CLI is available: 9.9.9 (current: 0.7.5)
[colab] You can run 'colab update --install' to upgrade in place.
[colab] Run 'uv tool install -U google-colab-cli' to update.
[colab] To silence this check, set "enable_update_check": false in ~/.config/colab-cli/settings.json

`;

/** As Python prints it with `TYPER_STANDARD_TRACEBACK`, else in a box of 80 columns. */
export function traceback(error: string, env: Readonly<Record<string, string>>): string {
  if (env["TYPER_STANDARD_TRACEBACK"] !== undefined) {
    const frame = '  File "/opt/colab_cli/client.py", line 240, in _issue_request\n    raise\n';
    return `Traceback (most recent call last):\n${frame}colab_cli.client.${error}\n`;
  }
  const wide = Number(env["COLUMNS"] ?? 80);
  const title = " Traceback (most recent call last) ";
  const side = "─".repeat(21);
  const inner = " /opt/colab_cli/client.py:240 in _issue_request".padEnd(76);
  const box = `╭${side}${title}${side}─╮\n│ ${inner} │\n╰${"─".repeat(78)}╯\n`;
  const lines = error.match(new RegExp(`.{1,${wide}}`, "g")) ?? [];
  return `${box}${lines.join("\n")}\n`;
}

/** How Typer refuses a command line. */
export function usageError(problem: string, env: Readonly<Record<string, string>>): Outcome {
  const head = "Usage: colab [OPTIONS] COMMAND [ARGS]...\nTry 'colab -h' for help.\n";
  if (env["TYPER_USE_RICH"] === "0") return complained(`${head}\nError: ${problem}\n`, 2);
  const line = `│ ${problem.padEnd(76)} │`;
  const box = `╭─ Error ${"─".repeat(70)}╮\n${line}\n╰${"─".repeat(78)}╯\n`;
  return complained(head + box, 2);
}

/** What IPython prints of an exception: its lines joined by nothing, colours and all. */
export function cellTraceback(name: string, value: string): string {
  const rule =
    "\u001B[0;31m---------------------------------------------------------------------------\u001B[0m";
  return `${rule}\u001B[0;31m${name}\u001B[0m                                 Traceback (most recent call last)\u001B[0;32m<ipython-input-1>\u001B[0m in \u001B[0;36m<cell line: 0>\u001B[0;34m()\u001B[0m\u001B[0;31m${name}\u001B[0m: ${value}\n`;
}

export function failedRequest(method: string, path: string, reason: string): string {
  return `ColabRequestError: Failed to issue request ${method} ${API}${path}: ${reason}`;
}

export const UNREACHABLE =
  "ConnectionError: HTTPSConnectionPool(host='colab.research.google.com', port=443): Max retries exceeded with url: /tun/m/assignments?authuser=0 (Caused by NameResolutionError(\"Failed to resolve 'colab.research.google.com'\"))";
