import type { CommandResult } from "../command.ts";
import { isSku, LEASE_NAME } from "../lease.ts";
import type { ColabCalls, Turn } from "./calls.ts";
import { faultKind, faultOf } from "./classify.ts";
import type { CreateReport, CreateRequest } from "./driver.ts";
import type { ColabFaultKind } from "./faults.ts";
import { squeeze } from "./output.ts";

/** Two requests of 120 s each, and what Python takes. Ended earlier it may leak a machine. */
const CREATE_MS = 300_000;

/** Said before anything is asked of Google, or Google's plain no. */
const REFUSALS: ReadonlySet<ColabFaultKind> = new Set([
  "not_installed",
  "not_logged_in",
  "not_supported",
  "bad_request",
  "no_entitlement",
  "limit_reached",
]);

export async function createMachine(
  calls: ColabCalls,
  request: CreateRequest,
): Promise<CreateReport> {
  const refusal = refusalOf(request);
  if (refusal !== null) return refused("bad_request", refusal);
  try {
    return await calls.inTurn(request.name, (turn) => rent(turn, request));
  } catch (error) {
    return refused(
      "cannot_start",
      `the store of \`${request.name}\` cannot be opened`,
      String(error),
    );
  }
}

async function rent({ entry, call }: Turn, { name, sku }: CreateRequest): Promise<CreateReport> {
  // The command would overwrite the session, and its machine would go on billing without a name.
  const known = entry();
  if (known !== null) {
    return refused("name_taken", `\`colab\` already has a session \`${name}\``, known.endpoint);
  }
  const gpu = sku === null ? [] : ["--gpu", sku];
  const result = await call({ args: ["new", "-s", name, ...gpu], timeout_ms: CREATE_MS });
  // Written once Google has answered, so it tells more than the exit code.
  const made = entry();
  if (made !== null) return { kind: "created", endpoint: made.endpoint };
  const kind = kindOf(result);
  const what = sku === null ? "rent a machine" : `rent a machine with \`${sku}\``;
  return {
    kind: "failed",
    fault: faultOf(kind, what, result),
    may_be_billing: !(result.kind === "not_started" || isRefusal(kind, result)),
  };
}

function kindOf(result: CommandResult): ColabFaultKind {
  const kind = faultKind(result) ?? "unreadable";
  const isFull = kind === "server_error" && squeeze(textOf(result)).includes("serviceunavailable");
  return isFull ? "no_capacity" : kind;
}

function isRefusal(kind: ColabFaultKind, result: CommandResult): boolean {
  // An answer that could not be read may have been a machine all the same.
  return REFUSALS.has(kind) && !squeeze(textOf(result)).includes("validationerror");
}

function textOf(result: CommandResult): string {
  return result.kind === "not_started" ? "" : result.stderr;
}

function refusalOf({ name, sku }: CreateRequest): string | null {
  if (!LEASE_NAME.test(name)) return `\`${name}\` cannot be the name of a runtime`;
  // The command takes any other word for an A100.
  if (sku !== null && !isSku(sku)) return `\`${String(sku)}\` is no GPU that Colab rents`;
  return null;
}

function refused(kind: ColabFaultKind, message: string, detail = ""): CreateReport {
  return { kind: "failed", fault: { kind, message, detail }, may_be_billing: false };
}
