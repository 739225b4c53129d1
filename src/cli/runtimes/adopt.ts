import { Value } from "@sinclair/typebox/value";

import { type Adopted, adoptedName, adoptMachine } from "../../runtimes/adopt.ts";
import { viewOf } from "../../runtimes/views.ts";
import { EXIT, type Words } from "../command.ts";
import { ownServer } from "../server/own-server.ts";
import { callServer } from "../server/server-call.ts";
import type { Shell } from "../terminal/shell.ts";
import { ShownRuntime } from "./follow.ts";
import { wordsOf } from "./lost-sight.ts";
import type { OwnRuntimes } from "./own.ts";

const TIMEOUT_MS = 180_000;

/** Takes over a machine; where no server runs, only its lease is written. */
export async function runAdopt(
  own: OwnRuntimes,
  endpoint: string,
  words: Words,
  shell: Shell,
): Promise<number> {
  const { url } = words.values;
  const name = words.values["name"];
  if (url !== undefined || ownServer(own) !== null) {
    const body = { endpoint, ...(name === undefined ? {} : { name }) };
    const call = { path: "/admin/v1/runtimes/adopt", url, body, timeout_ms: TIMEOUT_MS };
    const answer = await callServer(call, shell);
    if (!answer.ok) return failed(answer.problem, shell);
    const adopted = name ?? adoptedName(endpoint);
    return told(words, shell, { body: answer.body, name: adopted, note: WATCHED });
  }
  return adoptAlone(own, { endpoint, name: name ?? adoptedName(endpoint) }, words, shell);
}

async function adoptAlone(
  own: OwnRuntimes,
  request: { readonly endpoint: string; readonly name: string },
  words: Words,
  shell: Shell,
): Promise<number> {
  const { lock, ...adopted } = await adoptMachine(own.making, own, request).catch(problemOf);
  lock?.release();
  if (!adopted.ok) return failed(adopted.problem, shell);
  const body = viewOf(adopted.lease, { now: shell.clock.now(), watched_by: null });
  return told(words, shell, { body, name: request.name, note: UNWATCHED });
}

const WATCHED = "it is degraded, and its deadlines count from now";
const UNWATCHED =
  "no server runs, so nobody keeps its deadlines until `veriroute serve` does, which takes it over by itself";

interface Told {
  readonly body: unknown;
  readonly name: string;
  readonly note: string;
}

function told(words: Words, shell: Shell, { body, name, note }: Told): number {
  if (words.flags.has("json")) shell.print(JSON.stringify(body));
  else shell.print(`taken over as ${name}; to release it: veriroute runtimes down ${name}`);
  // What it runs is not known, and perhaps more.
  const event = Value.Check(ShownRuntime, body) ? body.last_event : null;
  if (event !== null) shell.complain(event.what);
  shell.complain(note);
  return EXIT.ok;
}

/** A state directory that cannot be read or written, say. */
function problemOf(error: unknown): Adopted & { readonly lock?: undefined } {
  return { ok: false, problem: wordsOf(error) };
}

function failed(problem: string, shell: Shell): number {
  shell.complain(`veriroute runtimes: ${problem}`);
  return EXIT.failed;
}
