/** Text for `path` as the repository's formatter leaves it, so that a generator and the gate agree. */
export function formatted(path: string, text: string): string {
  const { stdout, stderr, exitCode } = Bun.spawnSync(
    [process.execPath, "fmt", "--no-script", "--stdin-filepath", path],
    { stdin: new TextEncoder().encode(text) },
  );
  if (exitCode !== 0) throw new Error(`${path}: ${stderr.toString()}`);
  return stdout.toString();
}
