import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  statSync,
} from "node:fs";
import { isAbsolute, join, resolve } from "node:path";

/** The process environment, or what a test puts in its place. */
export type Env = Readonly<Record<string, string | undefined>>;

export type PathResult =
  { readonly ok: true; readonly path: string } | { readonly ok: false; readonly message: string };

export interface ConfigLocation {
  /** Null: no file, defaults apply. */
  readonly path: string | null;
  /** A file that was named must exist; the usual place may be empty. */
  readonly named: "flag" | "environment" | "default";
  /** What to tell a person about a config in the working directory, which is never used by itself. */
  readonly notice: string | null;
}

const FILE_NAME = "veriroute.toml";

/** Where state is kept, without touching the disk. */
export function stateDirectory(env: Env, cwd: string): PathResult {
  const explicit = env["VERIROUTE_STATE_DIR"];
  if (explicit) return { ok: true, path: resolve(cwd, explicit) };
  // systemd gives a colon-separated list where a unit names several directories.
  const [systemd] = env["STATE_DIRECTORY"]?.split(":") ?? [];
  if (systemd) return { ok: true, path: systemd };
  const base = baseDirectory(env, "XDG_STATE_HOME", ".local/state");
  if (base !== undefined) return { ok: true, path: join(base, "veriroute") };
  const message =
    "no place for the state directory: neither `HOME` nor `VERIROUTE_STATE_DIR` is set";
  return { ok: false, message: `${message}; set one of them to an absolute path` };
}

/** Which config file to read. `flag` is what `--config` gave. */
export function configLocation(
  env: Env,
  place: { cwd: string; flag?: string | undefined },
): ConfigLocation {
  const local = join(place.cwd, FILE_NAME);
  const located = locate(env, place);
  const unused = located.path !== local && existsSync(local);
  const notice = unused
    ? `\`${local}\` is not read by itself; to use it, pass \`--config ./${FILE_NAME}\``
    : null;
  return { ...located, notice };
}

function locate(
  env: Env,
  { cwd, flag }: { cwd: string; flag?: string | undefined },
): Omit<ConfigLocation, "notice"> {
  if (flag !== undefined) return { path: resolve(cwd, flag), named: "flag" };
  const named = env["VERIROUTE_CONFIG"];
  if (named) return { path: resolve(cwd, named), named: "environment" };
  const usual = defaultConfigPath(env);
  return { path: usual !== null && existsSync(usual) ? usual : null, named: "default" };
}

/** Where `init` writes and `serve` looks when nobody says otherwise; null without a home. */
export function defaultConfigPath(env: Env): string | null {
  const base = baseDirectory(env, "XDG_CONFIG_HOME", ".config");
  return base === undefined ? null : join(base, "veriroute", FILE_NAME);
}

/** An XDG base directory; the specification has relative values ignored. */
function baseDirectory(env: Env, variable: string, belowHome: string): string | undefined {
  const value = env[variable];
  if (value && isAbsolute(value)) return value;
  const home = env["HOME"];
  return home && isAbsolute(home) ? join(home, belowHome) : undefined;
}

/** Makes the state directory with mode 0700, or makes sure that an existing one is ours alone. */
export function openStateDirectory(path: string): PathResult {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
    const problem = existingProblem(path);
    return problem === undefined
      ? { ok: true, path }
      : { ok: false, message: refusal(path, problem) };
  } catch (error) {
    return { ok: false, message: refusal(path, reasonOf(error)) };
  }
}

function refusal(path: string, reason: string): string {
  return `state directory \`${path}\`: ${reason}; choose another with \`VERIROUTE_STATE_DIR\``;
}

/** Why an existing directory cannot hold state; tightens its mode where it is plainly ours. */
function existingProblem(path: string): string | undefined {
  const { mode, uid } = statSync(path);
  if ((mode & 0o077) !== 0) {
    const ours = uid === process.getuid?.();
    const entries = readdirSync(path);
    // Anything else could be a directory that others rely on, such as /tmp.
    if (!ours || (entries.length > 0 && !entries.includes("veriroute.db"))) {
      const octal = (mode & 0o7777).toString(8).padStart(4, "0");
      return `it is open to other users (mode ${octal}) and ${ours ? "holds other files" : "not ours"}`;
    }
    chmodSync(path, 0o700);
  }
  accessSync(path, constants.W_OK | constants.X_OK);
  return undefined;
}

function reasonOf(error: unknown): string {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  switch (code) {
    case "EACCES":
    case "EPERM":
      return "permission denied";
    case "EEXIST":
    case "ENOTDIR":
      return "part of its path is no directory";
    case "EROFS":
      return "the file system is read-only";
    case "ENOSPC":
      return "the disk is full";
    default:
      return String(code ?? error);
  }
}
