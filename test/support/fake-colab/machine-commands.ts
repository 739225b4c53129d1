import { takeFault } from "./faults.ts";
import { assign, tokenLife } from "./google.ts";
import { sessionOf } from "./sessions.ts";
import { type FakeMachine, rateOf, release } from "./state.ts";
import {
  complained,
  failedRequest,
  type Outcome,
  said,
  traceback,
  unknownSession,
  UNREACHABLE,
  usageError,
} from "./texts.ts";
import { Interrupted, requireLogin, type World } from "./world.ts";

const GPUS: Readonly<Record<string, string>> = {
  a100: "A100",
  h100: "H100",
  l4: "L4",
  t4: "T4",
  g4: "G4",
};

export interface NewOptions {
  readonly name: string;
  readonly gpu: string | undefined;
}

/** Whatever it does not know becomes an A100, and a name that is taken is overwritten. */
export function newSession(world: World, { name, gpu }: NewOptions): Outcome {
  const accelerator = gpu === undefined ? "NONE" : (GPUS[gpu.toLowerCase()] ?? "A100");
  const head = `[colab] Creating session '${name}'...\n`;
  requireLogin(world, head);
  const fault = world.server.transact(({ faults }) => takeFault(faults, "new"));
  const refusal = fault === undefined ? undefined : refusalOf(fault, accelerator, world);
  if (refusal !== undefined) return { ...refusal, stdout: head };
  if (fault === "hang") throw new Interrupted("hang", head);
  if (fault === "crash-before") throw new Interrupted("crash", head);
  const given = fault === "wrong-gpu" ? "L4" : accelerator;
  const machine = world.server.transact((state, now) => {
    const made = assign(state, given, now);
    made.session = name;
    if (fault === "timeout-leak") made.visible_at = now + (state.faults.leak_ms ?? 60_000);
    return { ...made, expires_at: now + tokenLife(state) };
  });
  if (fault === "timeout-leak") return { code: 1, stdout: head, stderr: readTimeout(world) };
  if (fault === "crash-after-assign") throw new Interrupted("crash", head);
  if (fault !== "not-stored") addEntry(world, { name, machine, accelerator });
  return said(`${head}[colab] Session READY.\n`);
}

function addEntry(
  world: World,
  added: { name: string; machine: FakeMachine & { expires_at: number }; accelerator: string },
): void {
  const { name, machine, accelerator } = added;
  world.store.add({
    name,
    token: machine.token,
    url: `https://8080-${machine.endpoint}-us-west1.colab.dev`,
    endpoint: machine.endpoint,
    token_expires_at: new Date(machine.expires_at).toISOString(),
    variant: machine.variant,
    // What was asked for, not what was given.
    accelerator,
    machine_shape: "STANDARD",
    kernel_id: null,
    session_id: null,
    last_execution: null,
    running: null,
  });
  world.remember(name, `session_created ${machine.endpoint}`);
}

function refusalOf(fault: string, accelerator: string, { env }: World): Outcome | undefined {
  const path = `/tun/m/assign?nbh=0f8fad5b_d9cb_469f_a165_70867728950e........&variant=GPU&accelerator=${accelerator}`;
  const error = (text: string) => complained(traceback(text, env));
  switch (fault) {
    case "400":
      return complained(
        `[colab] Backend rejected accelerator '${accelerator}'. You may not have quota or entitlement for this accelerator on your account. Try a different one (e.g. --gpu T4) or omit --gpu/--tpu for a CPU runtime.\n`,
      );
    case "412":
      return complained(
        "[colab] Allocation refused (precondition failed). This can mean too many active sessions, or a temporary usage or capacity limit for the requested runtime. Run `colab stop` to free up a session, wait and retry, or try a different accelerator.\n",
      );
    case "412-raw":
      return error(
        failedRequest("POST", path, "Precondition Failed").replace(
          /^\w+/,
          "TooManyAssignmentsError",
        ),
      );
    case "503":
      return error(failedRequest("POST", path, "Service Unavailable"));
    case "network":
      return error(UNREACHABLE);
    case "outcome":
      return error(
        "ValidationError: 4 validation errors for PostAssignmentResponse\naccelerator\n  Field required",
      );
    default:
      return undefined;
  }
}

function readTimeout({ env }: World): string {
  return traceback(
    "ReadTimeout: HTTPSConnectionPool(host='colab.research.google.com', port=443): Read timed out. (read timeout=120)",
    env,
  );
}

const SLOW_MS = 60_000;

/** Its exit code is 0 for a name that it does not know. */
export async function stop(world: World, name: string): Promise<Outcome> {
  const entry = sessionOf(world, name, 0);
  const head = `[colab] Stopping session '${name}'...\n`;
  requireLogin(world, head);
  const fault = world.server.transact(({ faults }) => takeFault(faults, "stop"));
  const path = `/tun/m/unassign/${entry.endpoint}`;
  const failed = (error: string) => ({
    code: 1,
    stdout: head,
    stderr: traceback(error, world.env),
  });
  if (fault === "not-found") return said(unknownSession(name));
  if (fault === "500") return failed(failedRequest("GET", path, "Internal Server Error"));
  if (fault === "network") return failed(UNREACHABLE);
  if (fault === "hang") throw new Interrupted("hang", head);
  if (fault === "slow") await world.pause(SLOW_MS);
  const gone = world.server.transact(
    (state, now) =>
      fault !== "lies" && (state.faults.account !== undefined || !release(state, entry, now)),
  );
  if (gone) return failed(failedRequest("GET", path, "Not Found"));
  world.store.remove(name);
  world.remember(name, "session_terminated");
  return said(`${head}[colab] Session terminated.\n`);
}

export function usage(world: World): Outcome {
  const fault = world.server.transact(({ faults }) => takeFault(faults, "usage"));
  if (fault === "missing") return usageError("No such command 'usage'.", world.env);
  requireLogin(world);
  if (fault === "garbage") return said("Current balance: a lot\n");
  if (fault === "fail") {
    return complained(
      "[colab] Warning: failed to fetch compute-unit info: Failed to issue request\n",
    );
  }
  return world.server.transact(({ balance_cu, machines }) => {
    const rate = fault === "lag" ? 1.54 : rateOf(machines);
    const count = fault === "lag" ? 1 : machines.length;
    return said(
      `Current balance: ${balance_cu.toFixed(2)} compute units\nUsage rate: ${rate.toFixed(2)}/hr\nActive assignments: ${count}\n`,
    );
  });
}

export function whoami(world: World): Outcome {
  requireLogin(world);
  const { fault, account } = world.server.transact(({ faults }) => ({
    fault: takeFault(faults, "whoami"),
    account: faults.account ?? "Somebody@example.org",
  }));
  if (fault === "fail") return complained("[colab] whoami: connection reset\n");
  const email = fault === "nobody" ? "" : `Email:         ${account}\n`;
  return said(
    `Auth provider: ${world.auth}\n${email}Audience:      fake\nExpires in:    52m\nScopes:\n  - openid\n`,
  );
}
