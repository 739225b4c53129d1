import { plainText } from "./output.ts";

export interface Usage {
  readonly balance_cu: number;
  readonly rate_cu_h: number;
  readonly assignment_count: number;
}

/** Reads `colab usage`; null unless all three numbers are there. */
export function readUsage(stdout: string): Usage | null {
  const text = plainText(stdout);
  const balance = numberAfter(text, /current\s+balance/i);
  const rate = numberAfter(text, /usage\s+rate/i);
  const count = numberAfter(text, /active\s+assignments/i);
  if (balance === null || rate === null || count === null) return null;
  return { balance_cu: balance, rate_cu_h: rate, assignment_count: Math.round(count) };
}

function numberAfter(text: string, label: RegExp): number | null {
  const after = new RegExp(`${label.source}\\s*:?\\s*(-?[\\d,]+(?:\\.\\d+)?)`, "i").exec(text)?.[1];
  const value = Number(after?.replaceAll(",", ""));
  return after === undefined || !Number.isFinite(value) ? null : value;
}
