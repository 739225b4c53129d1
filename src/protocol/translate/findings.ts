import type { Untranslatable } from "./translation.ts";

/** What a translation could not carry over, gathered while it goes. */
export interface Findings {
  /** A member that is left out, by path; said once however often it occurs. */
  lose(path: string): void;
  refuse(refusal: Untranslatable): void;
  lossy(): readonly string[];
  refused(): readonly Untranslatable[];
}

export function createFindings(): Findings {
  const lost = new Set<string>();
  const refused: Untranslatable[] = [];
  return {
    lose: (path) => void lost.add(path),
    refuse: (refusal) => void refused.push(refusal),
    lossy: () => [...lost],
    refused: () => refused,
  };
}

/** Null is as good as absent. */
export function isSet(value: unknown): boolean {
  return value !== undefined && value !== null;
}

/** Whether a member says anything: an empty list does not. */
export function isGiven(value: unknown): boolean {
  return isSet(value) && !(Array.isArray(value) && value.length === 0);
}

/** Asks for something to answer, where a conversation came to nothing. */
export function refuseSilence(param: string, findings: Findings): void {
  // What was refused is what it came to nothing for.
  if (findings.refused().length > 0) return;
  const message = `\`${param}\` says nothing; send at least one message that has text.`;
  findings.refuse({ param, message });
}

/**
 * A client's own name for something, for a message. Reasons are recorded and texts must not be: what is
 * no plain word becomes `otherwise`.
 */
export function plainWord(name: unknown, otherwise: string): string {
  return typeof name === "string" && PLAIN_WORD.test(name) ? name : otherwise;
}

const PLAIN_WORD = /^[\w.:-]{1,64}$/;
