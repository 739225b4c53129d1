import { seededRandom } from "../../../../src/upstream/sim/draws.ts";
import { createSimulator } from "../../../../src/upstream/sim/simulator.ts";
import type { Sleep } from "../../../../src/upstream/sim/wire/body.ts";

type Body = Readonly<Record<string, unknown>>;

export interface Ask {
  readonly path?: string;
  readonly instance?: string;
  readonly signal?: AbortSignal;
}

/** 2026-11-01T00:00:00Z. */
export const NOW = 1_793_491_200_000;
export const MESSAGES = [{ role: "user", content: "one two three four" }];

/** A simulator whose waits take no time and are written down. */
export function simulation(sleep?: Sleep) {
  const waits: number[] = [];
  const record: Sleep = async (ms) => void waits.push(ms);
  const simulator = createSimulator({
    clock: { now: () => NOW, elapsed: () => 0 },
    random: seededRandom(1),
    sleep: sleep ?? record,
  });
  const post = (body: Body | string, { path = "chat/completions", instance, signal }: Ask = {}) =>
    simulator.fetch(
      `http://${instance === undefined ? "" : `${instance}.`}sim.invalid/v1/${path}`,
      {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: typeof body === "string" ? body : JSON.stringify(body),
        signal: signal ?? new AbortController().signal,
      },
    );
  const chat = (body: Body, ask?: Ask) => post({ messages: MESSAGES, ...body }, ask);
  return { simulator, waits, post, chat };
}

interface ToolCallDelta {
  index: number;
  id?: string;
  function: { name: string; arguments: string };
}

interface ChoicePart {
  index: number;
  delta?: { content?: string; tool_calls?: ToolCallDelta[] };
  text?: string;
  finish_reason: string | null;
}

interface Chunk {
  choices?: ChoicePart[];
  error?: unknown;
}

/** What tests read of the answers that are not streamed. */
interface Answer {
  object: string;
  choices: {
    text: string;
    message: { content: string; tool_calls?: ToolCallDelta[] };
    finish_reason: string;
  }[];
  usage: { completion_tokens: number };
  data: { id: string; embedding: number[] }[];
  error: { message: string; param: string | null; code: unknown };
}

/** A whole answer, to be compared. */
export async function jsonOf(response: Response | Promise<Response>): Promise<unknown> {
  return JSON.parse(await (await response).text());
}

/** A whole answer, to be looked into. */
export async function answerOf(response: Response | Promise<Response>) {
  const answer: Answer = JSON.parse(await (await response).text());
  return answer;
}

/** The payloads of a finished stream, `[DONE]` included, the rest parsed. */
export async function events(response: Response) {
  const text = await response.text();
  return text
    .split("\n\n")
    .filter((frame) => frame !== "")
    .map((frame) => {
      const payload = frame.replace(/^data: /, "");
      if (payload === "[DONE]") return payload;
      const chunk: Chunk = JSON.parse(payload);
      return chunk;
    });
}

export function partsOf(event: Chunk | string): readonly ChoicePart[] {
  return typeof event === "string" ? [] : (event.choices ?? []);
}

/** Everything that arrived before the body ended or broke, and how it did. */
export async function received(response: Response) {
  let text = "";
  const decoder = new TextDecoder();
  try {
    for await (const bytes of response.body ?? []) text += decoder.decode(bytes, { stream: true });
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : error;
    return { text, error: code, thrown: error };
  }
  return { text, error: null, thrown: null };
}

/** What a stream says, per choice: its text, and how it finished. */
export async function heard(response: Response) {
  const choices: { text: string; finish: string | null }[] = [];
  for (const part of (await events(response)).flatMap(partsOf)) {
    const choice = (choices[part.index] ??= { text: "", finish: null });
    choice.text += part.delta?.content ?? part.text ?? "";
    choice.finish ??= part.finish_reason;
  }
  return choices;
}
