/** One line over time. */
export interface Panel {
  readonly title: string;
  readonly unit: string;
  /** Each line under its name; all of the same length as `xs`. */
  readonly lines: Readonly<Record<string, readonly number[]>>;
}

const WIDTH = 900;
const HEIGHT = 170;
const LEFT = 70;
const RIGHT = 20;
const TOP = 34;
const BOTTOM = 26;
const COLOURS = ["#1f6feb", "#d1495b", "#2a9d8f"];

/** Panels one below the other over the same x, as a standalone SVG; every y axis starts at 0. */
export function chart(
  xs: readonly number[],
  panels: readonly Panel[],
  { x_label }: { readonly x_label: string },
): string {
  const drawn = panels.map((panel, at) => drawPanel(xs, panel, at * HEIGHT)).join("");
  const height = panels.length * HEIGHT + 20;
  const label = text(x_label, { x: WIDTH / 2, y: height - 6, anchor: "middle" });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" font-family="sans-serif" font-size="11">
<rect width="100%" height="100%" fill="white"/>
${drawn}${label}</svg>
`;
}

function drawPanel(xs: readonly number[], { title, unit, lines }: Panel, offset: number): string {
  const all = Object.values(lines).flat().filter(Number.isFinite);
  const top = Math.max(1e-9, ...all) * 1.1;
  const last = xs.at(-1) ?? 1;
  const x = (value: number) => LEFT + (value / last) * (WIDTH - LEFT - RIGHT);
  const y = (value: number) => offset + HEIGHT - BOTTOM - (value / top) * (HEIGHT - TOP - BOTTOM);
  const grid = [0, 0.5, 1].map((share) => {
    const value = (top / 1.1) * share;
    return (
      `<line x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${y(value).toFixed(1)}" y2="${y(value).toFixed(1)}" stroke="#ddd"/>\n` +
      text(short(value), { x: LEFT - 6, y: y(value) + 4, anchor: "end" })
    );
  });
  const marks = [0, 0.25, 0.5, 0.75, 1].map((share) =>
    text(short(last * share), {
      x: x(last * share),
      y: offset + HEIGHT - BOTTOM + 14,
      anchor: "middle",
    }),
  );
  const paths = Object.entries(lines).map(([name, values], at) => {
    const colour = COLOURS[at % COLOURS.length] ?? "black";
    const points = values
      .map((value, n) =>
        Number.isFinite(value) ? `${x(xs[n] ?? 0).toFixed(1)},${y(value).toFixed(1)}` : "",
      )
      .join(" ");
    const key = text(name, {
      x: LEFT + 330 + at * 110,
      y: offset + 20,
      anchor: "start",
      fill: colour,
    });
    return `<polyline fill="none" stroke="${colour}" stroke-width="1.3" points="${points}"/>\n${key}`;
  });
  return (
    text(`${title}, ${unit}`, { x: LEFT, y: offset + 20, anchor: "start" }) +
    [...grid, ...marks, ...paths].join("")
  );
}

interface Place {
  readonly x: number;
  readonly y: number;
  readonly anchor: "start" | "middle" | "end";
  readonly fill?: string;
}

function text(content: string, { x, y, anchor, fill = "#333" }: Place): string {
  return `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" text-anchor="${anchor}" fill="${fill}">${content}</text>\n`;
}

function short(value: number): string {
  if (value >= 1e6) return `${(value / 1e6).toFixed(1)}M`;
  if (value >= 1e4) return `${(value / 1e3).toFixed(0)}k`;
  return value >= 10 || value === 0 ? value.toFixed(0) : value.toFixed(2);
}
