import type { Contract } from "../contracts/contract.ts";
import { CONTINUATIONS } from "./continuations.ts";
import { GREETINGS } from "./greetings.ts";
import { type LocalePrompts, promptsOf } from "./locales.ts";

/** What decides the wording of a question: the same gives the same. */
export interface PromptChoice {
  readonly contract: Contract;
  readonly locale: string | null;
  readonly endpoint: string;
  readonly round_n: number;
  readonly attempt: number;
}

/** Questions of one endpoint in one round, confirmations included. */
const ATTEMPTS = 3;

/**
 * Walks through all wordings from a place that the endpoint decides, so that neither the confirmations of
 * a round nor those of the next repeat one: an unlucky wording cannot fail twice.
 */
export function turnOf(choice: PromptChoice, count: number): number {
  const { contract, locale, endpoint, round_n, attempt } = choice;
  const start = hashOf(`${contract} ${locale ?? ""} ${endpoint}`);
  return (start + round_n * ATTEMPTS + attempt) % count;
}

/** FNV-1a, 32 bits. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193) >>> 0;
  }
  return hash;
}

/** A question for text, as somebody might ask it. A locale without prompts is a bug: they are checked before. */
export function choosePrompt(choice: PromptChoice): string {
  const prompts =
    choice.contract === "language" ? promptsOf(choice.locale ?? "") : FIXED[choice.contract];
  if (prompts === undefined) throw new Error(`no prompts in \`${choice.locale}\``);
  const { frames, topics } = prompts;
  const turn = turnOf(choice, frames.length * topics.length);
  // Each pair once, and neighbours differ in frame and topic.
  const at = turn % frames.length;
  const frame = frames[at] ?? "{}";
  const topic = topics[(Math.floor(turn / frames.length) + at) % topics.length] ?? "";
  return frame.replace("{}", topic);
}

const FIXED: Readonly<Partial<Record<Contract, LocalePrompts>>> = {
  ttft: GREETINGS,
  filter: CONTINUATIONS,
};
