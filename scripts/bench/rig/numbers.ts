/** The value below which the given share lies; NaN of nothing. */
export function quantile(numbers: readonly number[], share: number): number {
  const sorted = Float64Array.from(numbers).toSorted();
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export const median = (numbers: readonly number[]): number => quantile(numbers, 0.5);

/** Slope of the least-squares line through the points and its standard error, in y per x. */
export function slope(points: readonly (readonly [x: number, y: number])[]): {
  readonly value: number;
  readonly error: number;
} {
  const count = points.length;
  if (count < 3) return { value: Number.NaN, error: Number.NaN };
  const mean = (at: 0 | 1) => points.reduce((sum, point) => sum + point[at], 0) / count;
  const [meanX, meanY] = [mean(0), mean(1)];
  let spread = 0;
  let together = 0;
  for (const [x, y] of points) {
    spread += (x - meanX) ** 2;
    together += (x - meanX) * (y - meanY);
  }
  const value = together / spread;
  const residual = points.reduce((sum, [x, y]) => sum + (y - meanY - value * (x - meanX)) ** 2, 0);
  return { value, error: Math.sqrt(residual / (count - 2) / spread) };
}
