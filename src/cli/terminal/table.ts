/** Rows as aligned columns, two blanks apart; the last column may be of any length. */
export function table(rows: readonly (readonly string[])[], indent = ""): string {
  const widths: number[] = [];
  for (const row of rows) {
    row.forEach((cell, column) => {
      widths[column] = Math.max(widths[column] ?? 0, Bun.stringWidth(cell));
    });
  }
  return rows
    .map((row) =>
      (indent + row.map((cell, column) => padded(cell, widths[column] ?? 0)).join("  ")).trimEnd(),
    )
    .join("\n");
}

function padded(cell: string, width: number): string {
  return cell + " ".repeat(Math.max(width - Bun.stringWidth(cell), 0));
}
