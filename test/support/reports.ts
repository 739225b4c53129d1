/** A test by file below `test/` and by what its name or its row says. */
export type Cover = readonly [file: string, name: string];

/** What holds a fault off that hurt people who run gateways. */
export interface Report {
  readonly covers: readonly Cover[];
  /** What of the report is another dialect's or another part's business, or decided otherwise. */
  readonly left?: string;
}

/** Covers of a report that are not there (any more). */
export async function missingCovers({ covers }: Report): Promise<string[]> {
  const missing: string[] = [];
  for (const [file, name] of covers) {
    const text = await Bun.file(`test/${file}`).text();
    if (!text.includes(name)) missing.push(`${file}: ${name}`);
  }
  return missing;
}
