/** Marks a place that exhaustive checks have made unreachable. */
export function assertNever(value: never): never {
  throw new Error(`unexpected value: ${JSON.stringify(value)}`);
}
