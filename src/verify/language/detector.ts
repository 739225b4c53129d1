/** How well a text fits each language that is known, by ISO 639-1 code, 0 to 1; languages without a score do not fit. */
export type LanguageScores = (text: string) => Readonly<Record<string, number>>;

/**
 * Loads the detector: some 40 ms and 44 MB, so only when the canary runs or a saved answer is judged.
 * Of its tables the smallest is as good as any on texts of a canary's length. It reads the first
 * 350 bytes of a text.
 */
export async function loadLanguageScores(): Promise<LanguageScores> {
  const { eld } = await import("eld/extrasmall");
  return (text) => eld.detect(text).getScores();
}
