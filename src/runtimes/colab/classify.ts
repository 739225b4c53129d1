import { type CommandResult, MAX_OUTPUT } from "../command.ts";
import { redactText } from "../redact.ts";
import { isDiskFull } from "./disk-full.ts";
import type { ColabFault, ColabFaultKind } from "./faults.ts";
import { explainingLine, plainLines, squeeze } from "./output.ts";

/** Text of the command → meaning; the first that is found. Compared without blanks, see `squeeze`. */
const RULES: readonly (readonly [ColabFaultKind, ...string[]])[] = [
  ["not_supported", "No such command", "No such option"],
  ["not_logged_in", "Enter the authorization code:", "To authorize colab-cli"],
  [
    "not_logged_in",
    "No valid default credentials found",
    "DefaultCredentialsError",
    "RefreshError",
  ],
  ["scope_missing", "missing an OAuth scope", "SCOPE_NOT_PERMITTED"],
  ["no_entitlement", "Backend rejected accelerator"],
  ["limit_reached", "Allocation refused", "TooManyAssignmentsError", ": Precondition Failed"],
  ["limit_reached", "validation error for PostAssignment", "validation errors for PostAssignment"],
  ["unreadable", "for ListedAssignments"],
  ["session_lost", "appears to be lost"],
  ["kernel_client", "module 'jupyter_kernel_client' has no attribute"],
  ["login_refused", ": Unauthorized", ": Forbidden", "401 Client Error", "403 Client Error"],
  ["network", "Max retries exceeded", "NameResolutionError", "ReadTimeout:", "ConnectTimeout:"],
  ["network", "requests.exceptions.ConnectionError", "ConnectionError:", "SSLError", "ProxyError"],
  ["connection_lost", "Timeout waiting for reply", "Connection was lost", "WebSocketConnection"],
  ["connection_lost", "WebSocketTimeout", "WebSocketBadStatus", "BrokenPipeError"],
  ["server_error", ": Service Unavailable", ": Internal Server Error", ": Bad Gateway"],
  ["server_error", ": Gateway Timeout", ": Too Many Requests"],
  ["unknown_session", "' not found."],
  ["cannot_start", "ModuleNotFoundError", "No module named"],
];

const SQUEEZED = RULES.map(([kind, ...texts]) => ({ kind, texts: texts.map(squeeze) }));

/** How the command failed; undefined if it exited with 0. */
export function faultKind(result: CommandResult): ColabFaultKind | undefined {
  if (result.kind === "not_started") {
    if (isDiskFull(result)) return "disk_full";
    return result.cause === "missing" ? "not_installed" : "cannot_start";
  }
  if (result.kind === "ended" && result.cause === "timeout") return "timeout";
  if (result.kind !== "exited") return "stopped";
  return result.code === 0 ? undefined : kindOfText(result);
}

function kindOfText(result: { code: number; stdout: string; stderr: string }): ColabFaultKind {
  const kind = kindIn(wordsOf(result));
  if (kind === undefined && isDiskFull({ kind: "exited", ...result })) return "disk_full";
  return kind ?? (result.code === 2 ? "bad_request" : "failed");
}

/** The kind that a text names. */
function kindIn(text: string): ColabFaultKind | undefined {
  const squeezed = squeeze(text);
  return SQUEEZED.find(({ texts }) => texts.some((known) => squeezed.includes(known)))?.kind;
}

/** What the command itself said: on stdout, cells that it ran for us print too. */
function wordsOf({ stdout, stderr }: { stdout: string; stderr: string }): string {
  const own = plainLines(stdout).filter((line) => /^\[colab\] |^Enter the auth/.test(line));
  return [...own, stderr.slice(-MAX_OUTPUT)].join("\n");
}

/** `doing` completes "`colab` could not …". */
export function faultOf(kind: ColabFaultKind, doing: string, result: CommandResult): ColabFault {
  const detail = redactText(result.kind === "not_started" ? result.reason : whyOf(result));
  return { kind, message: `\`colab\` could not ${doing}: ${ADVICE[kind]}`, detail };
}

function whyOf(output: { stdout: string; stderr: string }): string {
  return explainingLine(output.stderr) || explainingLine(output.stdout);
}

const LOG_IN = "run `colab sessions` in a terminal and follow what it asks";

/** Cause and way out. */
const ADVICE: Readonly<Record<ColabFaultKind, string>> = {
  not_installed: "it is not installed; `pip install google-colab-cli` (Python 3.12 or newer)",
  another_program:
    "the `colab` on the path is not Google's command; set `runtimes.colab.command` to its path",
  too_old: "it is too old; `pip install --upgrade google-colab-cli`",
  cannot_start: "it does not start; run `colab version` in a terminal to see why",
  disk_full: "the disk of this computer takes no files; free some space on it",
  not_logged_in: `nobody is logged in; ${LOG_IN}`,
  login_refused: `Google refused the login; ${LOG_IN}`,
  scope_missing: "the login lacks a permission; log in anew and grant all that is asked",
  no_entitlement: "the account may not use this GPU; take another, or a plan that includes it",
  no_capacity: "Colab has no such GPU free now; take another, or wait",
  limit_reached:
    "Colab refuses another machine now; release one, wait, or take another GPU (`colab usage` shows the balance)",
  unknown_session: "its store has no such session",
  session_lost: "the machine is gone, or its access expired",
  network: "Google cannot be reached; check the network and the proxy settings",
  server_error: "Colab answers with an error of its own; wait",
  timeout: "it took too long and was ended",
  stopped: "it was ended from outside",
  kernel_client:
    "its `jupyter-kernel-client` has another version than it needs; reinstall google-colab-cli",
  connection_lost: "the connection to the machine broke",
  not_supported: "this version does not have the command; `pip install --upgrade google-colab-cli`",
  name_taken: "its store has a session of this name already",
  bad_request: "it did not accept its arguments",
  no_marker: "the script did not come to its end",
  unreadable: "its answer could not be read; a newer version may have changed it",
  failed: "it failed",
};
