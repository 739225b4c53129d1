const VARIABLE = "BUN_CONFIG_MAX_HTTP_REQUESTS";

/** Above what `server.max_in_flight` may be, so that Bun never makes a request wait unseen. */
const LIMIT = "65535";

/** What a supervisor may set, so that nothing has to start anew. */
export const REQUEST_LIMIT = `${VARIABLE}=${LIMIT}`;

/**
 * Starts this program anew, in the same process, with Bun's limit on open requests lifted; returns
 * only if that was done already or cannot be. Bun reads the variable once, so setting it now would
 * be too late, and with its limit of 256 a request to a healthy host waits until it looks dead.
 */
export function reExecWithRequestLimit(complain: (text: string) => void): void {
  if ((process.env[VARIABLE] ?? "") !== "") return;
  const script = Bun.isStandaloneExecutable ? [] : [Bun.main];
  const words = [process.execPath, ...script, ...process.argv.slice(2)];
  // Known to POSIX builds only, and not to the type declarations.
  const execve: unknown = Reflect.get(process, "execve");
  try {
    if (typeof execve !== "function") throw new Error("this platform cannot replace a process");
    Reflect.apply(execve, process, [
      process.execPath,
      words,
      { ...process.env, [VARIABLE]: LIMIT },
    ]);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    complain(`only 256 upstream requests at once: ${reason}; start with ${REQUEST_LIMIT}`);
  }
}
