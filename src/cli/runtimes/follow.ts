import { type Static, Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";

import { readableDuration } from "../../lib/durations.ts";
import { EXIT } from "../command.ts";
import { getFromServer } from "../server/server-call.ts";
import { paint } from "../terminal/color.ts";
import type { Shell } from "../terminal/shell.ts";
import { shownCost } from "./runtime-table.ts";

const nullable = <T extends ReturnType<typeof Type.String | typeof Type.Number>>(schema: T) =>
  Type.Union([schema, Type.Null()]);

/** What is read of a runtime that a server shows; later versions may say more. */
export const ShownRuntime = Type.Object({
  name: Type.String(),
  phase: Type.String(),
  target: nullable(Type.String()),
  base_url: nullable(Type.String()),
  created_at: nullable(Type.Number()),
  compute_units: nullable(Type.Number()),
  cost_usd: nullable(Type.Number()),
  error: nullable(Type.String()),
  notice: nullable(Type.String()),
  last_event: Type.Union([Type.Object({ at: Type.Number(), what: Type.String() }), Type.Null()]),
});
export type ShownRuntime = Static<typeof ShownRuntime>;

export interface Followed {
  readonly name: string;
  /** Of the server; undefined finds the one of this state directory. */
  readonly url: string | undefined;
}

/** How a runtime is looked at; null if there is none any more. */
export type Look = () => Promise<ShownRuntime | null>;

/** Looks through the server. Throws what a person is to read. */
export function lookThroughServer({ name, url }: Followed, shell: Shell): Look {
  return async () => {
    const answer = await getFromServer({ path: `/admin/v1/runtimes/${name}`, url }, shell);
    if (!answer.ok && answer.status === 404) return null;
    if (!answer.ok) throw new Error(answer.problem);
    if (Value.Check(ShownRuntime, answer.body)) return answer.body;
    throw new Error("the server shows the runtime in a form that is not known here");
  };
}

const LOOK_MS = 1000;
const OVER = new Set(["stopped", "failed"]);

/** Prints what happens until `isDone`, and gives back how it is then; null once it is gone. */
export async function follow(
  look: Look,
  isDone: (runtime: ShownRuntime) => boolean,
  shell: Shell,
): Promise<ShownRuntime | null> {
  let told = "";
  for (;;) {
    const runtime = await look();
    if (runtime === null) return null;
    const event = runtime.last_event?.what ?? runtime.phase;
    if (event !== told) shell.complain(progressLine(runtime, event, shell.clock.now()));
    told = event;
    if (OVER.has(runtime.phase) || isDone(runtime)) return runtime;
    await Bun.sleep(LOOK_MS);
  }
}

/** `[1 min 20 s, ~0.03 CU, 0.00 USD] loading`. */
function progressLine(runtime: ShownRuntime, event: string, now: number): string {
  const elapsed = runtime.created_at === null ? 0 : now - runtime.created_at;
  const [what = ""] = event.split("\n");
  return `[${readableDuration(elapsed)}, ${shownCost(runtime)}] ${what}`;
}

/** After so many attempts without proof whoever waits is let go; the server goes on. */
const PATIENCE_MS = 5 * 60_000;

/** Follows a release that the server has begun. */
export async function followRelease(followed: Followed, shell: Shell): Promise<number> {
  const until = shell.clock.elapsed() + PATIENCE_MS;
  const isLate = () => shell.clock.elapsed() > until;
  const end = await follow(lookThroughServer(followed, shell), isLate, shell);
  if (end !== null && OVER.has(end.phase)) {
    shell.print(`${followed.name} is released: two listings lack its machine`);
    return EXIT.ok;
  }
  if (end === null) {
    // Only who has seen it end can tell a proof from a file that somebody removed.
    shell.complain(
      `the server knows of no \`${followed.name}\` any more, which proves nothing; \`veriroute runtimes status --check\` says what runs`,
    );
    return EXIT.failed;
  }
  const notice = end.notice ?? `MAY STILL BE BILLING ${followed.name}`;
  shell.complain(paint(shell, "red", `${notice}${end.error === null ? "" : `: ${end.error}`}`));
  shell.complain("the server goes on until it is proven");
  return EXIT.failed;
}
