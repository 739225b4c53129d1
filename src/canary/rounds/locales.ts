/**
 * Languages an endpoint is asked in this round: the one it failed in last, then the next of the
 * rotation. Without repetitions and at most `count`.
 */
export function localesOfRound(
  locales: readonly string[],
  {
    round_n,
    count,
    repeat,
  }: { readonly round_n: number; readonly count: number; readonly repeat: string | null },
): readonly string[] {
  const wanted = Math.min(count, locales.length);
  const rotated = Array.from(
    { length: wanted },
    (_, at) => locales[(round_n * wanted + at) % locales.length] ?? "",
  );
  const first = repeat !== null && locales.includes(repeat) ? [repeat] : [];
  return [...new Set([...first, ...rotated])].slice(0, Math.max(wanted, first.length));
}
