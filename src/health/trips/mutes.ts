import type { Target } from "../../address/target.ts";
import { subjectKey, subjectKeysOf } from "../scope.ts";

/** An operator's word that a signature shall not bench a subject for now. It is still recorded. */
export interface Mute {
  readonly id: string;
  readonly scope: "provider" | "target";
  /** Instance name, with all its targets, or target key. */
  readonly subject: string;
  /** Null mutes every signature. */
  readonly signature: string | null;
  readonly reason: string;
  /** Epoch ms. */
  readonly created_at: number;
  /** Epoch ms; null lasts. */
  readonly until_at: number | null;
}

/** Whether a trip by this signature, caused by this target, is muted now. */
export function isMuted(
  target: Pick<Target, "instance" | "model">,
  signature: string,
  { mutes, now }: { readonly mutes: readonly Mute[]; readonly now: number },
): boolean {
  if (mutes.length === 0) return false;
  const keys = subjectKeysOf(target);
  return mutes.some(
    (mute) =>
      (mute.signature === null || mute.signature === signature) &&
      (mute.until_at === null || now < mute.until_at) &&
      keys.includes(subjectKey(mute.subject)),
  );
}
