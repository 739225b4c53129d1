import { createHash } from "node:crypto";

import { takeFault } from "./faults.ts";
import type { FakeLaunch, FakeMachine, FakeState } from "./state.ts";

/** Where the parts of what is prepared lie on a machine. */
export const BAKED_PREFIX = "/content/veriroute-baked-";

/** What a cell printed, or the exception it raised. */
export type CellResult =
  | { readonly kind: "printed"; readonly stdout: string }
  | { readonly kind: "raised"; readonly name: string; readonly value: string };

interface CellCall {
  readonly state: FakeState;
  readonly machine: FakeMachine;
  readonly script: string;
  readonly now: number;
}

/** Does to the machine what a cell of ours would do to a real one; of other scripts it knows nothing. */
export function runCell(call: CellCall): CellResult {
  const word = /^# veriroute cell: (\w+)$/m.exec(call.script)?.[1];
  const literal = /^PARAMETERS = json\.loads\((".*")\)$/m.exec(call.script)?.[1];
  if (word === undefined || literal === undefined) return { kind: "printed", stdout: "" };
  const parameters: CellParameters = JSON.parse(JSON.parse(literal));
  return CELLS[word]?.({ ...call, parameters }) ?? raised("NameError", `no cell ${word}`);
}

interface CellParameters {
  readonly nonce: string;
  readonly beat?: { readonly beat: number; readonly remaining_s: number };
  readonly limits?: { readonly ttl_s: number };
  readonly launch?: string;
  readonly plan?: {
    readonly serve?: readonly string[];
    readonly wheel?: readonly string[];
    readonly parts_at?: string;
    readonly baked?: { readonly parts: readonly { path: string; sha256: string }[] } | null;
  };
}

type Cell = (call: CellCall & { readonly parameters: CellParameters }) => CellResult;

const CELLS: Readonly<Record<string, Cell>> = {
  PROBED: ({ machine, parameters, state }) => {
    const gpu = {
      name: `Fake ${machine.accelerator}`,
      memory_mib: 15_360,
      compute_capability: "7.5",
    };
    const gpus = machine.accelerator === "NONE" ? [] : [gpu];
    const can_release = (state.faults.watchdog ?? "") === "";
    return line("PROBED", parameters.nonce, {
      gpus,
      python: "3.13.1",
      disk_free_gib: 70,
      can_release,
    });
  },
  WATCHDOG: ({ machine, parameters, state, now }) => {
    if (takeFault(state.faults, "watchdog") !== undefined) {
      return raised("RuntimeError", "this machine does not say where it is released");
    }
    machine.watchdog = {
      ttl_ms: (parameters.limits?.ttl_s ?? 1800) * 1000,
      beat: 0,
      beat_at: now,
      deadline_at: Number.MAX_SAFE_INTEGER,
    };
    beat(machine, parameters, now);
    return line("WATCHDOG", parameters.nonce);
  },
  BEAT: ({ machine, parameters, now }) => {
    beat(machine, parameters, now);
    const watchdog_alive = machine.watchdog !== null;
    const phase = machine.launch === null ? null : phaseOf(machine, now);
    return line("BEAT", parameters.nonce, { watchdog_alive, releasing: null, phase });
  },
  STARTED: ({ machine, parameters, state, now }) => {
    if (machine.launch?.nonce !== parameters.launch) {
      machine.launch = launchOf({ machine, parameters, state, now });
      if (machine.launch.kind === "bake") prepare(machine);
    }
    return line("STARTED", parameters.nonce);
  },
  STATUS: ({ machine, parameters, now }) => {
    const known = machine.launch?.nonce === parameters.launch;
    const phase = known ? phaseOf(machine, now) : "unknown";
    const failure = known ? (machine.launch?.failure ?? "") : "this machine knows of no such start";
    const ready = phase === "ready" ? `\n[veriroute] READY ${parameters.launch}\n` : "";
    const found = { phase, detail: phase === "ready" ? "" : failure, tail: [] };
    const { stdout } = line("STATUS", parameters.nonce, found);
    return { kind: "printed", stdout: ready + stdout };
  },
  BAKED: ({ machine, parameters, now }) => {
    if (machine.launch?.nonce !== parameters.launch || phaseOf(machine, now) !== "ready") {
      return raised("RuntimeError", "nothing was prepared by this start");
    }
    const parts = Object.entries(machine.parts).map(([path, content]) => ({
      path,
      bytes: Buffer.from(content, "base64").length,
      sha256: sha256(content),
    }));
    const wheels = ["fake-1.0-py3-none-any.whl"];
    return line("BAKED", parameters.nonce, {
      launch: parameters.launch,
      python: "3.13",
      packages: ["fake==1.0"],
      wheels,
      parts,
    });
  },
  LOGS: ({ parameters }) =>
    line("LOGS", parameters.nonce, { "server.log": ["INFO fake server"], "launcher.log": [] }),
};

function launchOf({
  machine,
  parameters,
  state,
  now,
}: Omit<Parameters<Cell>[0], "script">): FakeLaunch {
  const { plan, launch = "" } = parameters;
  return {
    nonce: launch,
    kind: plan?.wheel === undefined ? "serve" : "bake",
    is_baked: hasCome(machine, plan?.baked?.parts ?? []),
    served_model: servedModel(plan?.serve ?? []),
    ready_at: now + (state.faults.boot_ms ?? 0),
    failure: failureOf(state, parameters),
  };
}

function failureOf({ faults }: FakeState, { plan }: CellParameters): string | null {
  return (plan?.wheel === undefined ? faults.boot_fail : faults.bake_fail) ?? null;
}

/** Two parts that are no text. */
function prepare(machine: FakeMachine): void {
  for (const n of [0, 1]) {
    const content = new Uint8Array([0x1f, 0x8b, 0xff, n, ...Buffer.from(machine.endpoint)]);
    machine.parts[`${BAKED_PREFIX}00${n}`] = content.toBase64();
  }
}

function hasCome(
  { parts }: FakeMachine,
  wanted: readonly { readonly path: string; readonly sha256: string }[],
): boolean {
  return (
    wanted.length > 0 && wanted.every(({ path, sha256: sum }) => sha256(parts[path] ?? "") === sum)
  );
}

function sha256(base64: string): string {
  return createHash("sha256").update(Buffer.from(base64, "base64")).digest("hex");
}

function beat(machine: FakeMachine, { beat: sent }: CellParameters, now: number): void {
  if (machine.watchdog === null || sent === undefined) return;
  if (sent.beat === machine.watchdog.beat) return;
  machine.watchdog.beat = sent.beat;
  machine.watchdog.beat_at = now;
  machine.watchdog.deadline_at = now + sent.remaining_s * 1000;
}

function phaseOf({ launch }: FakeMachine, now: number): string {
  if (launch === null) return "unknown";
  if (now < launch.ready_at) return "loading";
  return launch.failure === null ? "ready" : "failed";
}

/** Whether its server answers. */
export function isServing(machine: FakeMachine, now: number): boolean {
  return machine.launch?.kind === "serve" && phaseOf(machine, now) === "ready";
}

function servedModel(serve: readonly string[]): string {
  const named = serve.find((word) => word.startsWith("--served-model-name="));
  return named?.split("=")[1] ?? serve[serve.indexOf("--model_alias") + 1] ?? "";
}

function line(word: string, nonce: string, found?: object) {
  const rest = found === undefined ? "" : ` ${JSON.stringify(found)}`;
  return { kind: "printed", stdout: `\n[veriroute] ${word} ${nonce}${rest}\n` } as const;
}

function raised(name: string, value: string): CellResult {
  return { kind: "raised", name, value };
}
