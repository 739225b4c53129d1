import type { Shell } from "./shell.ts";

const CODES = { red: 31, green: 32, yellow: 33, bold: 1, dim: 2 } as const;

export type Color = keyof typeof CODES;

/** `text` in a colour where the shell shows any. */
export function paint(shell: Pick<Shell, "color">, color: Color, text: string): string {
  return shell.color ? `\u001B[${CODES[color]}m${text}\u001B[0m` : text;
}
