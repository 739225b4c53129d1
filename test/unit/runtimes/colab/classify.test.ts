import { expect, test } from "bun:test";

import * as fc from "fast-check";

import { faultKind, faultOf } from "../../../../src/runtimes/colab/classify.ts";
import type { ColabFaultKind } from "../../../../src/runtimes/colab/faults.ts";

const REQUEST =
  "Failed to issue request POST https://colab.research.google.com/tun/m/assign?nbh=0f8fad5b_d9cb_469f_a165_70867728950e........&variant=GPU&accelerator=T4";
const HOST = "HTTPSConnectionPool(host='colab.research.google.com', port=443)";

/** The command's own words, and what they mean. */
const TEXTS: readonly (readonly [ColabFaultKind, string])[] = [
  ["not_supported", "No such command 'usage'."],
  ["not_logged_in", "To authorize colab-cli, visit this URL in any browser:"],
  ["not_logged_in", "No valid default credentials found. To authenticate, run:"],
  ["not_logged_in", "DefaultCredentialsError: Your default credentials were not found. To set up"],
  [
    "scope_missing",
    "[colab] Keep-alive pre-flight failed: your credentials are missing an OAuth scope required by Colab.",
  ],
  ["no_entitlement", "[colab] Backend rejected accelerator 'A100'. You may not have quota"],
  ["limit_reached", "[colab] Allocation refused (precondition failed). This can mean"],
  ["limit_reached", `TooManyAssignmentsError: ${REQUEST}: Precondition Failed`],
  ["limit_reached", "ValidationError: 4 validation errors for PostAssignmentResponse"],
  ["unreadable", "ValidationError: 1 validation error for ListedAssignments"],
  [
    "kernel_client",
    "AttributeError: module 'jupyter_kernel_client' has no attribute 'KernelClient'",
  ],
  [
    "login_refused",
    "ColabRequestError: Failed to issue request GET https://colab.research.google.com/tun/m/assignments: Unauthorized",
  ],
  ["network", `ConnectionError: ${HOST}: Max retries exceeded with url: /tun/m/assignments`],
  ["network", `ReadTimeout: ${HOST}: Read timed out. (read timeout=120)`],
  ["connection_lost", "TimeoutError: Timeout waiting for reply"],
  ["connection_lost", "RuntimeError: Connection was lost."],
  ["server_error", `ColabRequestError: ${REQUEST}: Service Unavailable`],
  ["cannot_start", "ModuleNotFoundError: No module named 'colab_cli'"],
  ["disk_full", "OSError: [Errno 28] No space left on device: '/home/x/sessions.json'"],
  ["disk_full", "OSError: [Errno 30] Read-only file system: '/home/x/sessions.json'"],
];

/** As Rich prints an error where output is no terminal: a box, then the text cut at the width. */
function boxed(text: string, width: number): string {
  const lines = text.match(new RegExp(`.{1,${width}}`, "g")) ?? [];
  const rule = "─".repeat(width);
  return `╭${rule}╮\n│ /x/client.py:240 in _issue_request │\n╰${rule}╯\n${lines.join("\n")}\n`;
}

const failed = (stderr: string) => ({ kind: "exited", code: 1, stdout: "", stderr }) as const;

test.each(TEXTS)("%s is read from: %s", (kind, text) => {
  expect(faultKind(failed(`${text}\n`))).toBe(kind);
});

test("a meaning does not depend on where the text is wrapped, or on colours", () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...TEXTS),
      fc.integer({ min: 20, max: 200 }),
      ([kind, text], width) => {
        const coloured = boxed(text, width).replaceAll("│", "\u001B[31m│\u001B[0m");

        expect(faultKind(failed(coloured))).toBe(kind);
      },
    ),
  );
});

test("whatever a command prints, its failure has a kind and its success none", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), fc.integer({ min: 0, max: 255 }), (text, code) => {
      const kind = faultKind({ kind: "exited", code, stdout: text, stderr: text });

      expect(kind === undefined).toBe(code === 0);
    }),
  );
});

test("what a cell printed does not pass for the command's own words", () => {
  const stdout = "No valid default credentials found\nTooManyAssignmentsError\n";

  expect(faultKind({ kind: "exited", code: 1, stdout, stderr: "" })).toBe("failed");
});

test.each<{ name: string; result: Parameters<typeof faultKind>[0]; kind: ColabFaultKind }>([
  {
    name: "not there",
    result: { kind: "not_started", cause: "missing", reason: "`colab` is not on the path" },
    kind: "not_installed",
  },
  {
    name: "ended by us",
    result: { kind: "ended", cause: "timeout", stdout: "", stderr: "" },
    kind: "timeout",
  },
  {
    name: "killed by another",
    result: { kind: "killed", signal: "SIGKILL", stdout: "", stderr: "" },
    kind: "stopped",
  },
  {
    name: "called with what it does not take",
    result: { kind: "exited", code: 2, stdout: "", stderr: "Usage: colab\n" },
    kind: "bad_request",
  },
])("a command that was $name is $kind", ({ result, kind }) => {
  expect(faultKind(result)).toBe(kind);
});

test("a fault says what failed and what to do, and its detail holds no credential", () => {
  const stderr = "Authorization: Bearer ya29.abcdefgh\nColabRequestError: token=hf_abcdefghijkl\n";

  expect(faultOf("network", "list the account's machines", failed(stderr))).toEqual({
    kind: "network",
    message:
      "`colab` could not list the account's machines: Google cannot be reached; check the network and the proxy settings",
    detail: "ColabRequestError: token=[redacted]",
  });
});

test.each([
  { what: "a word that only looks like it", stderr: "the server of something else said no\n" },
  {
    what: "the machine's own disk, among what it printed",
    stderr: "OSError: [Errno 28] No space left on device\nRuntimeError: it ended\n",
  },
])("$what is no full disk of this computer", ({ stderr }) => {
  expect(faultKind(failed(stderr))).toBe("failed");
});
