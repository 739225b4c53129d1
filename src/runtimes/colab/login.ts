import type { Account } from "../lease.ts";
import { ACCOUNT, type ColabAuth, type ColabCalls } from "./calls.ts";
import { faultKind, faultOf } from "./classify.ts";
import type { LoginCheck } from "./driver.ts";
import { outputOf, plainLines, squeeze } from "./output.ts";

const WHOAMI_MS = 150_000;

const whoami = (calls: ColabCalls) =>
  calls.call({ name: ACCOUNT, args: ["whoami"], timeout_ms: WHOAMI_MS });

type Login = Awaited<ReturnType<typeof whoami>>;

export async function checkLogin(calls: ColabCalls): Promise<LoginCheck> {
  const login = await whoami(calls);
  const kind = problemOf(login);
  if (kind === undefined) return { kind: "ok" };
  return { kind: "failed", fault: faultOf(kind, "tell who is logged in", login) };
}

/** Whose machines the command lists; undefined where it cannot say. */
export async function accountOf(calls: ColabCalls, auth: ColabAuth): Promise<Account | undefined> {
  const login = await whoami(calls);
  if (problemOf(login) !== undefined) return undefined;
  return { auth, email: readEmail(outputOf(login).stdout) };
}

function problemOf(login: Login) {
  const said = squeeze(outputOf(login).stdout).includes("authprovider:");
  return faultKind(login) ?? (said ? undefined : "unreadable");
}

/** Null where the login has none, as that of a service may. */
function readEmail(stdout: string): string | null {
  const found = plainLines(stdout).map((line) => /\bemail\s*:\s*(\S+@\S+)/i.exec(line)?.[1]);
  return found.find((email) => email !== undefined)?.toLowerCase() ?? null;
}
