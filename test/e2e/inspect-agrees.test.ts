import { afterAll, expect, test } from "bun:test";

import { verifyOutput } from "../../src/verify/inspect-output.ts";
import { LABELLED_OUTPUTS, LOOK_ALIKES, type OutputLine } from "../support/labelled-outputs.ts";
import { observe } from "../support/observe.ts";
import { extraOf, play, requestOf } from "../support/played-output.ts";
import { provider, startRouter } from "../support/router.ts";
import { scriptedUpstream } from "../support/scripted-upstream.ts";

/** What the upstream answers next. */
let current: { readonly line: OutputLine; readonly stream: boolean } | undefined;
const upstream = scriptedUpstream((wire) => current && play(wire, current.line, current.stream));
const router = await startRouter({
  config: [
    provider("plain", upstream.base_url),
    provider("cut", upstream.base_url),
    provider("inline", upstream.base_url, "inline_reasoning = true"),
    '[verifier]\nmode = "observe"\n',
  ].join(""),
});
afterAll(async () => {
  await router[Symbol.asyncDispose]();
  upstream[Symbol.dispose]();
});

let cuts = 0;
/**
 * A stream that breaks off while its target is suspected is held back and tried again unseen, so each
 * of those has a target that nobody knows yet.
 */
function targetFor(line: OutputLine): string {
  const { stream_done: isDone = true, reasoning_inline: isInline } = extraOf(line);
  if (!isDone) return `cut:m-${cuts++}`;
  return isInline === true ? "inline:m" : "plain:m";
}

/** The verdict of an attempt at answering so. */
async function liveVerdict(line: OutputLine, stream: boolean): Promise<unknown> {
  current = { line, stream };
  const target = targetFor(line);
  const response = await router.post("/v1/chat/completions", requestOf(line, target, stream));
  await response.text();
  const id = response.headers.get("x-veriroute-decision");
  const { attempts } = await observe(router).decision(id);
  return attempts.at(-1)?.verification ?? null;
}

function inspectedVerdict(line: OutputLine): unknown {
  const inspected = verifyOutput(line);
  if ("error" in inspected) throw new Error(inspected.error);
  const { id: _, attributable, detail = null, ...rest } = inspected;
  return { ...rest, detail, model_attributable: attributable ? 1 : 0 };
}

const lines = [...LABELLED_OUTPUTS, ...LOOK_ALIKES].filter(({ line }) => {
  const { client_aborted: isLeft = false, stream_done: isDone = true } = extraOf(line);
  // Who leaves is another test's subject, and a connection that brings nothing at all is no output.
  return !isLeft && (isDone || line.completion !== "");
});
const isStreamOnly = (line: OutputLine) => extraOf(line).stream_done !== undefined;

test.each(lines.filter(({ line }) => !isStreamOnly(line)))(
  "the router judges the whole answer $id as `inspect output` does",
  async ({ line }) => {
    expect(await liveVerdict(line, false)).toEqual(inspectedVerdict(line));
  },
);

test.each(lines)("the router judges the stream $id as `inspect output` does", async ({ line }) => {
  expect(await liveVerdict(line, true)).toEqual(inspectedVerdict(line));
});
