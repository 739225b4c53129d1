import { observe } from "./observe.ts";
import { chat, type TestRouter } from "./router.ts";
import {
  chunk,
  completion,
  type ScriptedUpstream,
  scriptedUpstream,
  streamOf,
  type Wire,
} from "./scripted-upstream.ts";

/** Limits of a provider that a test can wait for. */
export const LIMITS = [
  'first_byte_timeout = "300ms"',
  'first_token_timeout = "400ms"',
  'response_timeout = "400ms"',
].join("\n");

export const ROLE = chunk({ role: "assistant", content: "" });
/** A stream that has begun to say something. */
export const HALF = ROLE + chunk({ content: "half" });

/** Begins an event stream with these frames and leaves it open. */
export function sse(wire: Wire, ...frames: string[]): void {
  wire.sse();
  wire.write(frames.join(""));
}

export const errorFrame = (error: object): string => `data: ${JSON.stringify({ error })}\n\n`;

/** Answers every request with `spare answer`. */
export function healthyUpstream(stream: boolean): ScriptedUpstream {
  return scriptedUpstream((wire) => {
    if (!stream) return wire.json(completion("spare answer"));
    sse(wire, streamOf("spare answer"));
    return wire.end();
  });
}

/** One chat request: what its client got, and what was recorded. */
export async function ask(router: TestRouter, model: string, stream: boolean) {
  const response = await router.post("/v1/chat/completions", chat(model, { stream }));
  const text = await response.text();
  const { attempts, outcome, status, error_code } = await observe(router).decision(
    response.headers.get("x-veriroute-decision"),
  );
  const isError = response.status !== 200;
  return {
    status: response.status,
    content_type: response.headers.get("content-type"),
    text,
    error: isError ? JSON.parse(text).error : null,
    kinds: attempts.map(({ kind }) => kind),
    outcome,
    recorded: { status, error_code },
  };
}

/** Targets that are not eligible now. */
export async function benched(router: TestRouter): Promise<string[]> {
  const targets = await observe(router).health();
  return targets.filter(({ eligible }) => !eligible).map(({ target }) => target);
}
