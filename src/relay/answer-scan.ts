import type { ChoiceFacts } from "../protocol/openai/stream/choice.ts";
import type { TokenUsage } from "../protocol/openai/usage.ts";
import type { AnswerFacts } from "../verify/answer-facts.ts";
import { worstVerdict } from "../verify/judge.ts";
import type { PromptProfile } from "../verify/prompt/prompt-profile.ts";
import type { RequestFacts } from "../verify/prompt/request-facts.ts";
import { createScanner, type Scanner } from "../verify/scanner.ts";
import type { Verdict } from "../verify/verdict.ts";
import type { AttemptInput } from "./attempt.ts";
import type { RelayDependencies } from "./dependencies.ts";
import type { Judgement } from "./judgement.ts";
import { SentReplacements } from "./sent-replacements.ts";
import { survivable } from "./survivable-scan.ts";

/** Judges the answer of one attempt, all of its choices. */
export interface AnswerScan {
  /** The next text of a choice, with the bytes that it was read from. */
  readonly push: (choice: number, text: string, bytes: Uint8Array) => void;
  /** The worst of what the starts of the choices tell; null if they tell nothing. */
  readonly suspicion: () => Verdict | null;
  /** All that a suspicion goes by is there. */
  readonly isStartKnown: () => boolean;
  /** To be called once. */
  readonly end: (ended: EndedAnswer) => Judgement;
}

/** An answer that is over, its text apart. */
export interface EndedAnswer extends Pick<AnswerFacts, "is_done" | "is_client_gone"> {
  readonly choices: ReadonlyMap<number, ChoiceFacts>;
  readonly usage: TokenUsage | null;
}

interface ScanParts {
  readonly prompt: PromptProfile;
  readonly request: RequestFacts;
}

/** What is to judge the answer of an attempt; null if nobody is. Made when there is one to be judged. */
export function scanFor(
  { run, scrutiny, candidate, instance }: AttemptInput,
  onFault: RelayDependencies["onFault"],
): AnswerScan | null {
  if (scrutiny.verify === "off" || run.request.dialect === "embeddings") return null;
  const profile = run.profile();
  const request = profile.factsFor(candidate.member, instance);
  const scan = new ChoicesScan({ prompt: profile.prompt, request });
  return survivable(scan, (error) => onFault(error, run.request.request_id));
}

class ChoicesScan implements AnswerScan {
  readonly #parts: ScanParts;
  readonly #scanners = new Map<number, Scanner>();
  readonly #replacements = new SentReplacements();

  constructor(parts: ScanParts) {
    this.#parts = parts;
  }

  push(choice: number, text: string, bytes: Uint8Array): void {
    this.#replacements.look(text, bytes);
    this.#scannerOf(choice).push(text);
  }

  suspicion(): Verdict | null {
    const found = [...this.#scanners.values()].map((scanner) => scanner.suspicion());
    const verdicts = found.filter((verdict) => verdict !== null);
    return verdicts.length === 0 ? null : worstVerdict(verdicts);
  }

  isStartKnown(): boolean {
    const scanners = this.#scanners;
    return scanners.size > 0 && scanners.values().every((scanner) => scanner.isStartKnown());
  }

  end(ended: EndedAnswer): Judgement {
    const verdicts: Verdict[] = [];
    let isAscii = true;
    // An answer without any choice is one that says nothing.
    for (const [index, choice] of ended.choices.size > 0 ? ended.choices : NO_CHOICE) {
      const facts = factsOf(choice, ended, this.#replacements);
      const { verdict, is_ascii } = this.#scannerOf(index).end(facts);
      verdicts.push(verdict);
      isAscii &&= is_ascii;
    }
    return {
      verdict: worstVerdict(verdicts),
      is_empty: verdicts.every(({ signature }) => signature === "empty_200"),
      ascii: { prompt: this.#parts.prompt.charset() === "ascii", answer: isAscii },
    };
  }

  #scannerOf(choice: number): Scanner {
    const known = this.#scanners.get(choice);
    if (known) return known;
    const fresh = createScanner(this.#parts);
    this.#scanners.set(choice, fresh);
    return fresh;
  }
}

const SILENT: ChoiceFacts = {
  content: { text: false, reasoning: false, tool_calls: false, refusal: false, media: false },
  finish: null,
  calls: [],
};
const NO_CHOICE: ReadonlyMap<number, ChoiceFacts> = new Map([[0, SILENT]]);

function factsOf(
  { content, finish, calls }: ChoiceFacts,
  { usage, is_done, is_client_gone }: EndedAnswer,
  { is_utf8, has_sent_replacement }: SentReplacements,
): AnswerFacts {
  return {
    finish,
    calls,
    has_tool_calls: content.tool_calls,
    has_reasoning: content.reasoning,
    has_refusal: content.refusal,
    has_media: content.media,
    output_tokens: usage?.output_tokens ?? null,
    reasoning_tokens: usage?.reasoning_tokens ?? null,
    is_done,
    is_client_gone,
    is_utf8,
    has_sent_replacement,
  };
}
