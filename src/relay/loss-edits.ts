const MAX_LOSSES = 20;
/** A client may name a member of its body anything, and what is recorded holds no text of its own. */
const MEMBER = /^[\w.[\]-]{1,64}$/;

/** Names for the decision of what of a request was left out. */
export function lossEdits(lossy: readonly string[]): readonly string[] {
  if (lossy.length === 0) return lossy;
  const names = [...new Set(lossy.map((name) => (MEMBER.test(name) ? name : "other")))];
  const more = names.length > MAX_LOSSES ? ["more"] : [];
  return [...names.slice(0, MAX_LOSSES), ...more].map((name) => `lossy:${name}`);
}
