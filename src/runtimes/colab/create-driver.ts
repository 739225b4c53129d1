import type { Clock } from "../../lib/clock.ts";
import type { CommandResult } from "../command.ts";
import { LEASE_NAME } from "../lease.ts";
import type { Listing } from "../listing.ts";
import {
  ACCOUNT,
  type CallsDependencies,
  type ColabCalls,
  createColabCalls,
  named,
} from "./calls.ts";
import { faultKind, faultOf } from "./classify.ts";
import { createMachine } from "./create-machine.ts";
import type {
  ColabDriver,
  ExecuteReport,
  ExecuteRequest,
  ListingReport,
  ProgramCheck,
  RefreshReport,
  StopReport,
  StoredSession,
  UsageReport,
} from "./driver.ts";
import type { ColabFault } from "./faults.ts";
import { accountOf, checkLogin } from "./login.ts";
import { outputOf, plainText, squeeze } from "./output.ts";
import { readListing } from "./read-listing.ts";
import { readUsage } from "./read-usage.ts";
import { isTooOld, OLDEST_VERSION, readVersion } from "./read-version.ts";
import { download, upload } from "./transfers.ts";

export interface DriverDependencies extends CallsDependencies {
  readonly clock: Clock;
}

/** Google may take 120 s for a request, and the command makes up to two. */
const LISTING_MS = 150_000;
const STOP_MS = 270_000;
const VERSION_MS = 30_000;
/** What `exec` does before and after the cell: starting the kernel, three times if need be. */
const EXECUTE_EXTRA_MS = 60_000;
/** The command takes a token for expired five minutes early. */
const TOKEN_MARGIN_MS = 6 * 60_000;

export function createColabDriver(dependencies: DriverDependencies): ColabDriver {
  const calls = createColabCalls(dependencies);
  const { clock, program, auth } = dependencies;
  const list: ColabDriver["list"] = async (name) => {
    if (name !== undefined) return listVia(calls, clock, name);
    // First, so that of two listings a login that changes between them shows in the second.
    const account = await accountOf(calls, auth);
    const report = await listVia(calls, clock, ACCOUNT);
    if (account === undefined) return report;
    return { ...report, listing: { ...report.listing, account } };
  };
  return {
    checkProgram: () => checkProgram(calls, program),
    checkLogin: () => checkLogin(calls),
    list,
    readUsage: () => usageOf(calls),
    create: (request) => createMachine(calls, request),
    execute: (request) => execute(calls, request),
    upload: (request) => upload(calls, request),
    download: (request) => download(calls, request),
    stop: (name) => stop(calls, name),
    stored: (name) => stored(calls, named(name)),
    entry: (name) => (LEASE_NAME.test(name) ? calls.entry(name) : null),
    adopt: (name, endpoint) => calls.adopt(named(name), endpoint),
    refresh: (name, endpoint) => refresh({ calls, clock, list }, name, endpoint),
    forget: (name) => calls.forget(named(name)),
    bridge: (name, identity) =>
      calls.offline(named(name), ["ssh", "--proxy-mode", "-s", name, "-i", identity]),
    directory: (name) => calls.directory(named(name)),
  };
}

async function checkProgram(calls: ColabCalls, program: string): Promise<ProgramCheck> {
  const result = await calls.call({ name: ACCOUNT, args: ["version"], timeout_ms: VERSION_MS });
  const failed = (kind: ColabFault["kind"]) =>
    ({ kind: "failed", fault: faultOf(kind, "be used", result) }) as const;
  const kind = faultKind(result);
  // Unrelated programs of the same name do not know our options, or fail in ways of their own.
  if (kind !== undefined) return failed(kind === "bad_request" ? "another_program" : kind);
  const version = readVersion(outputOf(result).stdout);
  if (version === null) return failed("another_program");
  if (isTooOld(version)) {
    const { fault } = failed("too_old");
    const detail = `it is version ${version}, and ${OLDEST_VERSION} is the oldest that works`;
    return { kind: "failed", fault: { ...fault, detail } };
  }
  return { kind: "ok", version, path: program };
}

async function listVia(calls: ColabCalls, clock: Clock, name: string): Promise<ListingReport> {
  const result = await calls.call({ name, args: ["sessions"], timeout_ms: LISTING_MS });
  const at = { now: clock.now(), elapsed: clock.elapsed() };
  const { stdout, stderr } = outputOf(result);
  const { sessions, doubt } = readListing(stdout);
  const kind = faultKind(result);
  if (kind !== undefined) {
    const fault = faultOf(kind, "list the account's machines", result);
    return { listing: { kind: "doubtful", at, sessions, reason: fault.message }, fault };
  }
  // Without a login it says that there are no machines, and exits with 0.
  const complaint = stderr.trim() === "" ? null : "`colab sessions` succeeded and complained";
  const reason = complaint ?? doubt;
  if (reason === null) return { listing: { kind: "clean", at, sessions }, fault: null };
  const doubtful = { kind: "doubtful", at, sessions, reason } satisfies Listing;
  const cause = complaint === null ? "unreadable" : (kindOfComplaint(result) ?? "unreadable");
  return { listing: doubtful, fault: faultOf(cause, "list the account's machines", result) };
}

/** What the same words would have meant with the exit code they deserve. */
function kindOfComplaint(result: CommandResult): ColabFault["kind"] | undefined {
  const kind = faultKind(result.kind === "exited" ? { ...result, code: 1 } : result);
  return kind === "failed" ? undefined : kind;
}

async function usageOf(calls: ColabCalls): Promise<UsageReport> {
  const result = await calls.call({ name: ACCOUNT, args: ["usage"], timeout_ms: LISTING_MS });
  const kind = faultKind(result);
  const usage = kind === undefined ? readUsage(outputOf(result).stdout) : null;
  if (usage !== null) return { kind: "ok", ...usage };
  return { kind: "failed", fault: faultOf(kind ?? "unreadable", "read the balance", result) };
}

async function execute(calls: ColabCalls, request: ExecuteRequest): Promise<ExecuteReport> {
  const { name, script, marker, timeout_ms } = request;
  const seconds = String(Math.ceil(timeout_ms / 1000));
  const result = await calls.call({
    name: named(name),
    args: ["exec", "-s", name, "--timeout", seconds],
    script,
    timeout_ms: timeout_ms + EXECUTE_EXTRA_MS,
    yields: true,
  });
  const stdout = plainText(outputOf(result).stdout);
  // The exit code is 0 when the script raised, and 1 when only the goodbye failed.
  if (stdout.includes(marker)) return { kind: "confirmed", stdout };
  const kind = faultKind(result) ?? "no_marker";
  return { kind: "failed", fault: faultOf(kind, `run a script on \`${name}\``, result), stdout };
}

async function stop(calls: ColabCalls, name: string): Promise<StopReport> {
  const args = ["stop", "-s", named(name)];
  // A cell that hangs may not keep a machine on the bill, whose cells are of no more use anyway.
  calls.clearWay(name);
  const result = await calls.call({ name, args, timeout_ms: STOP_MS });
  const { stdout, stderr } = outputOf(result);
  const kind = faultKind(result);
  if (kind === undefined && stdout.includes("[colab] Session terminated.")) {
    return { kind: "terminated" };
  }
  if (kind === undefined && stdout.includes(`Session '${name}' not found.`)) {
    return { kind: "unknown" };
  }
  if (/\/unassign\/[^:]*:notfound/.test(squeeze(stderr))) return { kind: "gone" };
  const fault = faultOf(kind ?? "unreadable", `release \`${name}\``, result);
  return { kind: "failed", fault };
}

async function stored(calls: ColabCalls, name: string): Promise<StoredSession | null> {
  return calls.inTurn(name, async ({ entry }) => entry());
}

interface Refreshing {
  readonly calls: ColabCalls;
  readonly clock: Clock;
  readonly list: ColabDriver["list"];
}

async function refresh(parts: Refreshing, name: string, endpoint: string): Promise<RefreshReport> {
  const { calls, clock, list } = parts;
  // A listing that lagged behind has made the command forget the session: the second round is for that.
  for (let round = 0; round < 2; round++) {
    const { listing, fault } = await list(named(name));
    // What is listed is there, even where another line could not be read.
    if (!listing.sessions.some((session) => session.endpoint === endpoint)) {
      return fault === null ? { kind: "missing" } : { kind: "failed", fault };
    }
    const entry = calls.entry(name);
    const expires_at = entry?.token_expires_at ?? 0;
    const isOurs = entry?.endpoint === endpoint;
    if (isOurs && expires_at > clock.now() + TOKEN_MARGIN_MS) return { kind: "fresh" };
    const refused = await adopt(calls, name, endpoint);
    if (refused !== null) return { kind: "failed", fault: refused };
  }
  const message = `\`colab\` could not renew its access to \`${name}\`: its store keeps none`;
  return { kind: "failed", fault: { kind: "session_lost", message, detail: "" } };
}

async function adopt(
  calls: ColabCalls,
  name: string,
  endpoint: string,
): Promise<ColabFault | null> {
  try {
    await calls.adopt(name, endpoint);
    return null;
  } catch (error) {
    const result = { kind: "not_started", cause: "other", reason: String(error) } as const;
    return faultOf(faultKind(result) ?? "failed", `renew its access to \`${name}\``, result);
  }
}
