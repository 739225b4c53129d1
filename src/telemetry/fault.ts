/** A fault of ours as a log may tell of it. */
export interface Fault {
  /** The class of the error, or the type of what else was thrown. */
  readonly error: string;
  readonly stack: readonly string[];
}

const MAX_FRAMES = 8;

/** Where a fault of ours happened. Its message stays out: it may quote what was being read. */
export function faultOf(error: unknown): Fault {
  if (!(error instanceof Error)) return { error: typeof error, stack: [] };
  const { message, stack = "" } = error;
  // The stack begins with the message, whose lines may look like frames.
  const frames = stack
    .slice(stack.indexOf(message) + message.length)
    .split("\n")
    .filter((line) => line.startsWith("    at "));
  return { error: error.name, stack: frames.slice(0, MAX_FRAMES).map((line) => line.trim()) };
}
