import type { ChoiceFacts } from "../protocol/openai/stream/choice.ts";
import type { TokenUsage } from "../protocol/openai/usage.ts";
import { type AnswerFacts, PLAIN_ANSWER } from "../verify/answer-facts.ts";
import { worstVerdict } from "../verify/judge.ts";
import type { PromptProfile } from "../verify/prompt/prompt-profile.ts";
import type { RequestFacts } from "../verify/prompt/request-facts.ts";
import { createScanner, type Scanner } from "../verify/scanner.ts";
import type { Verdict } from "../verify/verdict.ts";
import type { AttemptInput } from "./attempt.ts";
import type { RelayDependencies } from "./dependencies.ts";
import type { Judgement } from "./judgement.ts";
import { createSentReplacements } from "./sent-replacements.ts";
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
  const scan = createAnswerScan({ prompt: profile.prompt, request });
  return survivable(scan, (error) => onFault(error, run.request.request_id));
}

function createAnswerScan(parts: ScanParts): AnswerScan {
  const scanners = new Map<number, Scanner>();
  const replacements = createSentReplacements();

  function scannerOf(choice: number): Scanner {
    const known = scanners.get(choice);
    if (known) return known;
    const fresh = createScanner(parts);
    scanners.set(choice, fresh);
    return fresh;
  }

  return {
    push(choice, text, bytes) {
      replacements.look(text, bytes);
      scannerOf(choice).push(text);
    },
    suspicion() {
      const found = [...scanners.values()].map((scanner) => scanner.suspicion());
      const verdicts = found.filter((verdict) => verdict !== null);
      return verdicts.length === 0 ? null : worstVerdict(verdicts);
    },
    isStartKnown: () =>
      scanners.size > 0 && scanners.values().every((scanner) => scanner.isStartKnown()),
    end(ended) {
      // An answer without any choice is one that says nothing.
      const choices = ended.choices.size > 0 ? ended.choices : NO_CHOICE;
      const judged = [...choices].map(([index, choice]) =>
        scannerOf(index).end({ ...factsOf(choice, ended), ...replacements.found() }),
      );
      return {
        verdict: worstVerdict(judged.map(({ verdict }) => verdict)),
        is_empty: judged.every(({ verdict }) => verdict.signature === "empty_200"),
        ascii: {
          prompt: parts.prompt.charset() === "ascii",
          answer: judged.every(({ is_ascii }) => is_ascii),
        },
      };
    },
  };
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
): AnswerFacts {
  return {
    ...PLAIN_ANSWER,
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
  };
}
