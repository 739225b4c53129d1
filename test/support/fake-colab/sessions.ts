import type { StoreEntry } from "./client-store.ts";
import { takeFault } from "./faults.ts";
import { listMachines, renewToken, tokenLife } from "./google.ts";
import type { FakeMachine } from "./state.ts";
import { NO_SESSIONS, type Outcome, said, unknownSession } from "./texts.ts";
import { Ended, type World } from "./world.ts";

const REFRESH_MARGIN_MS = 5 * 60_000;

/** The entry of a command that needs one, with a token that is good for a while. Throws `Ended` without. */
export function sessionOf(world: World, name: string, code: number): StoreEntry {
  const entry = world.store.get(name);
  if (entry === undefined) throw new Ended(said(unknownSession(name), code));
  const expires_at = Date.parse(entry.token_expires_at ?? "");
  if (expires_at - world.server.now() > REFRESH_MARGIN_MS) return entry;
  if (!listMachines(world).some(({ endpoint }) => endpoint === entry.endpoint)) {
    world.store.remove(name);
    throw new Ended(said(unknownSession(name), code));
  }
  return refreshed(world, entry);
}

function refreshed(world: World, entry: StoreEntry): StoreEntry {
  const fresh = world.server.transact((state, now) => ({
    ...entry,
    token: renewToken(state, entry.endpoint, now),
    url: `https://8080-${entry.endpoint}-us-west1.colab.dev`,
    token_expires_at: new Date(now + tokenLife(state)).toISOString(),
  }));
  world.store.add(fresh);
  return fresh;
}

/** `colab sessions`: lists, forgets what is not listed, and renews what is. */
export function sessions(world: World): Outcome {
  const local = Object.values(world.store.all());
  const machines = local.length > 0 ? listMachines(world) : listOrNothing(world);
  if ("code" in machines) return machines;
  let pruned = 0;
  for (const entry of local) {
    if (machines.some(({ endpoint }) => endpoint === entry.endpoint)) refreshed(world, entry);
    else {
      world.store.remove(entry.name);
      pruned += 1;
    }
  }
  const head = pruned > 0 ? `[colab] Pruned ${pruned} stale local session(s).\n` : "";
  if (machines.length === 0) return said(head + NO_SESSIONS);
  const names = new Map(Object.values(world.store.all()).map((e) => [e.endpoint, e.name]));
  const format = world.server.transact(({ faults }) => faults.sessions_format ?? "");
  const lines = machines.map((machine) => {
    const name = names.get(machine.endpoint) ?? "?";
    return (FORMATS[format] ?? plain)({ name, machine });
  });
  return said(head + lines.join(""));
}

/** With an empty store, a login that fails by exiting leaves an empty list and no failure. */
function listOrNothing(world: World): FakeMachine[] | Outcome {
  const isFalse = world.server.transact(
    ({ faults }) => faults.sessions?.startsWith("false-empty") && takeFault(faults, "sessions"),
  );
  try {
    if (isFalse) throw new Ended({ code: 1, stdout: "", stderr: FALSE_EMPTY });
    return listMachines(world);
  } catch (error) {
    if (!(error instanceof Ended)) throw error;
    const { stderr } = error.outcome;
    if (!stderr.startsWith("No valid default credentials")) throw error;
    return { code: 0, stdout: NO_SESSIONS, stderr };
  }
}

const FALSE_EMPTY = "No valid default credentials found. To authenticate, run:\n\n  gcloud\n";

interface Row {
  readonly name: string;
  readonly machine: FakeMachine;
}

const hardware = ({ accelerator }: FakeMachine) => (accelerator === "NONE" ? "CPU" : accelerator);

function plain({ name, machine }: Row): string {
  return `[${name}] ${machine.endpoint} | Hardware: ${hardware(machine)} | Shape: Standard | Variant: ${machine.variant}\n`;
}

/** What a later version might do to the line. */
const FORMATS: Readonly<Record<string, (row: Row) => string>> = {
  "0.6": ({ name, machine }) =>
    `[${name}] ${machine.endpoint} | Hardware: ${hardware(machine)} | Variant: ${machine.variant}\n`,
  reordered: ({ name, machine }) =>
    `[${name}]  ${machine.endpoint} | Variant: ${machine.variant} | Shape: HIGH_RAM | Hardware: ${hardware(machine)} | Region: us\n`,
  coloured: (row) => plain(row).replace("[", "\u001B[1;32m[").replace("]", "]\u001B[0m"),
  boxed: (row) => `├${"─".repeat(90)}┤\n│ ${plain(row).trim()} │\n`,
};
