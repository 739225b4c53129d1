import type { BakePlan } from "./bake-plan.ts";
import type { ServerPlan } from "./server-plan.ts";
import { VM_DIRECTORY } from "./vm-paths.ts";
/**
 * What is run on a rented machine, as text: each cell is Python for its kernel and the marker that
 * says that it got to its end. Nothing here holds a secret; the only one goes there by upload.
 */
import bakedBody from "./vm/baked.py" with { type: "text" };
import bakerBody from "./vm/baker.py" with { type: "text" };
import beatBody from "./vm/beat.py" with { type: "text" };
import detachedBody from "./vm/detached.py" with { type: "text" };
import files from "./vm/files.py" with { type: "text" };
import installWatchdogBody from "./vm/install_watchdog.py" with { type: "text" };
import launchBody from "./vm/launch.py" with { type: "text" };
import launcherBody from "./vm/launcher.py" with { type: "text" };
import logsBody from "./vm/logs.py" with { type: "text" };
import pollBody from "./vm/poll.py" with { type: "text" };
import probeBody from "./vm/probe.py" with { type: "text" };
import watchdogBody from "./vm/watchdog.py" with { type: "text" };

export interface Cell {
  readonly script: string;
  readonly marker: string;
}

/** Words of the markers, `[veriroute] <word> <nonce>`. */
export type CellWord = "PROBED" | "WATCHDOG" | "BEAT" | "STARTED" | "STATUS" | "LOGS" | "BAKED";

export interface Heartbeat {
  /** Counts up: the watchdog takes a number that it has not seen for a sign of life. */
  readonly beat: number;
  /** Seconds until the hard deadline. */
  readonly remaining_s: number;
}

export interface WatchdogLimits {
  /** Silence after which the machine is released. */
  readonly ttl_s: number;
  /** Between two looks. */
  readonly poll_s: number;
}

/** What every cell is told. `directory` is `VM_DIRECTORY` but in tests. */
interface CellPlace {
  readonly nonce: string;
  readonly directory?: string;
}

/** Between two looks of the watchdog. */
export const WATCHDOG_POLL_S = 10;
/** An older sign of life of the watchdog is none. */
const FRESH_S = 120;
/** For a detached program to say its first word. */
const WAIT_S = 15;

export function probeCell(place: CellPlace): Cell {
  return cell("PROBED", place, { body: probeBody });
}

export function watchdogCell(
  place: CellPlace,
  { beat, limits }: { readonly beat: Heartbeat; readonly limits: WatchdogLimits },
): Cell {
  const program = `${files}\n\n${watchdogBody}`;
  const parameters = { beat, limits, program, wait_s: WAIT_S };
  return cell("WATCHDOG", place, { body: installWatchdogBody, parameters });
}

export function beatCell(place: CellPlace, beat: Heartbeat): Cell {
  return cell("BEAT", place, { body: beatBody, parameters: { beat, fresh_s: FRESH_S } });
}

/** `launch` names this start: asked for twice, it happens once. */
export function launchCell(
  place: CellPlace,
  { launch, plan }: { readonly launch: string; readonly plan: ServerPlan },
): Cell {
  return startCell(place, { launch, plan, body: launcherBody });
}

/** The same of what prepares. */
export function bakeCell(
  place: CellPlace,
  { launch, plan }: { readonly launch: string; readonly plan: BakePlan },
): Cell {
  return startCell(place, { launch, plan, body: bakerBody });
}

function startCell(
  place: CellPlace,
  start: { readonly launch: string; readonly plan: object; readonly body: string },
): Cell {
  const { launch, plan, body } = start;
  const program = [files, detachedBody, body].join("\n\n");
  return cell("STARTED", place, {
    body: launchBody,
    parameters: { launch, plan, program, wait_s: WAIT_S },
  });
}

/** What that start has prepared, once it is ready. */
export function bakedCell(place: CellPlace, launch: string): Cell {
  return cell("BAKED", place, { body: bakedBody, parameters: { launch } });
}

export function pollCell(place: CellPlace, launch: string): Cell {
  return cell("STATUS", place, { body: pollBody, parameters: { launch } });
}

export function logsCell(place: CellPlace, lines: number): Cell {
  return cell("LOGS", place, { body: logsBody, parameters: { lines } });
}

/** The line that `poll` prints once the server of that start answers. */
export function readyMarker(launch: string): string {
  return `[veriroute] READY ${launch}`;
}

function cell(
  word: CellWord,
  { nonce, directory = VM_DIRECTORY }: CellPlace,
  { body, parameters = {} }: { readonly body: string; readonly parameters?: object },
): Cell {
  const literal = pythonLiteral({ nonce, directory, ...parameters });
  const script = [
    `# veriroute cell: ${word}`,
    files,
    `PARAMETERS = json.loads(${literal})`,
    "",
    body,
  ].join("\n");
  return { script, marker: `[veriroute] ${word} ${nonce}` };
}

/**
 * A Python string literal of the JSON text, on one line and in ASCII: JSON's escapes mean the same in
 * Python but for those of characters beyond 16 bits, which stay doubled for its JSON reader.
 */
function pythonLiteral(value: object): string {
  const json = JSON.stringify(value).replaceAll(/[^\u0020-\u007E]/g, (character) => {
    const code = character.charCodeAt(0).toString(16).padStart(4, "0");
    return `\\u${code}`;
  });
  return JSON.stringify(json);
}
