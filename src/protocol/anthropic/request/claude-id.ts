/** A Claude model by family and version, such as `opus` 4.6. */
export interface ClaudeId {
  readonly family: string;
  readonly major: number;
  readonly minor: number;
}

const FAMILIES = "opus|sonnet|haiku|fable|mythos|instant";
/** One or two digits are a version; more are a date. */
const VERSION = String.raw`(\d{1,2})(?!\d)(?:[-.](\d{1,2})(?!\d))?`;
const FAMILY_FIRST = new RegExp(`(${FAMILIES})[-.]${VERSION}`);
const VERSION_FIRST = new RegExp(`claude[-.]${VERSION}[-.](${FAMILIES})`);
const NO_FAMILY = new RegExp(`claude[-.]v?${VERSION}`);

/**
 * Reads a model id wherever it stands in the name: behind a vendor's or region's prefix, before a date
 * or revision, with dots or dashes. Null for what names no version, `claude-opus-latest` included.
 */
export function parseClaudeId(model: string): ClaudeId | null {
  const name = model.toLowerCase();
  const byFamily = FAMILY_FIRST.exec(name);
  if (byFamily) return idOf(byFamily[1], byFamily[2], byFamily[3]);
  const byVersion = VERSION_FIRST.exec(name);
  if (byVersion) return idOf(byVersion[3], byVersion[1], byVersion[2]);
  const bare = NO_FAMILY.exec(name);
  return bare ? idOf("", bare[1], bare[2]) : null;
}

function idOf(family = "", major = "0", minor = "0"): ClaudeId {
  return { family, major: Number(major), minor: Number(minor) };
}
