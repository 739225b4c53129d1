import type { Static, TSchema } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";

import type { Words } from "../command.ts";
import { EXIT } from "../command.ts";
import { callServer, getFromServer } from "../server/server-call.ts";
import type { Shell } from "../terminal/shell.ts";

interface Question<T extends TSchema> {
  /** Below `/admin/v1/canary`. */
  readonly path: string;
  /** Makes it a POST. */
  readonly body?: object;
  readonly schema: T;
}

/** What the running server answers; undefined after a complaint that says why there is nothing. */
export async function askServer<T extends TSchema>(
  { path, body, schema }: Question<T>,
  { values: { url } }: Pick<Words, "values">,
  shell: Shell,
): Promise<Static<T> | undefined> {
  const call = { path: `/admin/v1/canary${path}`, url };
  const answer = await (body === undefined
    ? getFromServer(call, shell)
    : callServer({ ...call, body }, shell));
  if (answer.ok && Value.Check(schema, answer.body)) return answer.body;
  const problem = answer.ok ? "the answer is not a canary's; is this a veriroute?" : answer.problem;
  shell.complain(`veriroute canary: ${problem}`);
  return undefined;
}

/** Shows an answer as JSON or in the form given; the exit code. */
export function show<T>(
  answer: T | undefined,
  print: (answer: T) => void,
  { words, shell }: { readonly words: Pick<Words, "flags">; readonly shell: Shell },
): number {
  if (answer === undefined) return EXIT.failed;
  if (words.flags.has("json")) shell.print(JSON.stringify(answer));
  else print(answer);
  return EXIT.ok;
}
