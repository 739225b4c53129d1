import { type CodeTable, TELLING, VAGUE, VENDOR_TELLING } from "./code-tables.ts";
import type { FailureKind } from "./failure.ts";

function index(table: CodeTable): ReadonlyMap<string, FailureKind> {
  return new Map(table.flatMap(([kind, codes]) => codes.map((code) => [code, kind] as const)));
}

const telling = index(TELLING);
const vague = index(VAGUE);
const byVendor = VENDOR_TELLING.map(({ vendor, codes }) => ({ vendor, codes: index(codes) }));

export interface CodeMatch {
  readonly kind: FailureKind;
  readonly code: string;
}

/** The first code that settles the matter alone. */
export function tellingCode(codes: readonly string[], vendor: string): CodeMatch | undefined {
  const tables = byVendor.filter((entry) => entry.vendor.test(vendor)).map((entry) => entry.codes);
  return firstMatch(codes, [...tables, telling]);
}

/** The first code that hints at a kind. */
export function vagueCode(codes: readonly string[]): CodeMatch | undefined {
  return firstMatch(codes, [vague]);
}

function firstMatch(
  codes: readonly string[],
  tables: readonly ReadonlyMap<string, FailureKind>[],
): CodeMatch | undefined {
  for (const code of codes) {
    const kind = tables.map((table) => table.get(code)).find((found) => found !== undefined);
    if (kind !== undefined) return { kind, code };
  }
  return undefined;
}

/**
 * The first code that may be stored and shown: one of our own list, or a short number. Any other
 * word is the upstream's text, which could repeat a prompt or a key.
 */
export function storableCode(codes: readonly string[]): string | null {
  return codes.find(isStorable) ?? null;
}

function isStorable(code: string): boolean {
  return telling.has(code) || vague.has(code) || /^\d{1,5}$/.test(code);
}
