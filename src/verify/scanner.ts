import { type AnswerFacts, PLAIN_ANSWER } from "./answer-facts.ts";
import { judgeOutput, judgeStart } from "./judge.ts";
import type { PromptProfile } from "./prompt/prompt-profile.ts";
import type { RequestFacts } from "./prompt/request-facts.ts";
import type { TextFacts } from "./text/text-facts.ts";
import { TextScan } from "./text/text-scan.ts";
import type { Verdict } from "./verdict.ts";

/** UTF-16 units that are known as the start; what hold-back waits for under suspicion. */
const START = 64;

/** A text is kept whole up to here; one whose JSON is judged as a whole up to the second. */
const KEEP = 16_384;
const KEEP_JSON = 1_048_576;

interface ScannerOptions {
  readonly prompt: PromptProfile;
  readonly request: RequestFacts;
}

export interface Judgement {
  readonly verdict: Verdict;
  /** The text was plain ASCII, in which no encoding can break. */
  readonly is_ascii: boolean;
}

/** Judges the text of one choice, given in deltas of any size. */
export interface Scanner {
  /** Decoded `delta.content`, in order. */
  push(delta: string): void;
  /** What the start, at most `START` units of it, tells; asked again it may tell more. */
  suspicion(): Verdict | null;
  /** The start is complete: later text changes no suspicion. */
  isStartKnown(): boolean;
  /** To be called once. */
  end(answer: AnswerFacts): Judgement;
}

/** One scanner per choice. Memory: the start, a head, a tail and at most 16,384 units of the text. */
export function createScanner(options: ScannerOptions): Scanner {
  return new ChoiceScanner(options);
}

class ChoiceScanner implements Scanner {
  readonly #options: ScannerOptions;
  readonly #scan: TextScan;
  #start = "";
  #known: { readonly start: string; readonly verdict: Verdict | null } | undefined;

  constructor(options: ScannerOptions) {
    this.#options = options;
    this.#scan = new TextScan({ keep: options.request.format === null ? KEEP : KEEP_JSON });
  }

  push(delta: string): void {
    if (this.#start.length < START) this.#start += delta.slice(0, START - this.#start.length);
    this.#scan.push(delta);
  }

  suspicion(): Verdict | null {
    const { prompt, request } = this.#options;
    const start = this.#start;
    if (this.#known?.start !== start) {
      const text = scanText(start);
      const output = { stage: "start", text, answer: PLAIN_ANSWER, request, prompt } as const;
      this.#known = { start, verdict: judgeStart(output) };
    }
    return this.#known.verdict;
  }

  isStartKnown(): boolean {
    return this.#start.length >= START;
  }

  end(answer: AnswerFacts): Judgement {
    const { prompt, request } = this.#options;
    const text = this.#scan.end();
    const verdict = judgeOutput({ stage: "end", text, answer, request, prompt });
    return { verdict, is_ascii: text.mojibake.non_ascii === 0 };
  }
}

function scanText(text: string): TextFacts {
  const scan = new TextScan({ keep: KEEP });
  scan.push(text);
  return scan.end();
}
