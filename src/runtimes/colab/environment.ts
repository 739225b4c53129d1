import { existsSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";

import type { Env } from "../../config/paths.ts";

/** What the official command may see of our environment; nothing else of it is passed on. */
const PASSED_ON =
  /^(PATH|LANG|LC_[A-Z]+|TMPDIR|GOOGLE_APPLICATION_CREDENTIALS|CLOUDSDK_CONFIG|(HTTPS?|ALL|NO)_PROXY|(https?|all|no)_proxy|REQUESTS_CA_BUNDLE|SSL_CERT_(FILE|DIR))$/;

/** Seconds that one request to Google may take. */
const REQUEST_SECONDS = "120";

/** One line an error, without colours, boxes and warnings, and no second try behind our back. */
const PLAIN = {
  TYPER_STANDARD_TRACEBACK: "1",
  _TYPER_STANDARD_TRACEBACK: "1",
  TYPER_USE_RICH: "0",
  COLUMNS: "4096",
  NO_COLOR: "1",
  TERM: "dumb",
  PYTHONUTF8: "1",
  PYTHONWARNINGS: "ignore",
  PYTHONDONTWRITEBYTECODE: "1",
  REQUEST_TIMEOUT: "60",
  COLAB_CLI_REQUEST_TIMEOUT: REQUEST_SECONDS,
  // A second request for a machine after an unanswered one would make a refusal of the second look
  // as if the first had rented nothing.
  COLAB_CLI_ASSIGN_RETRIES: "0",
} as const;

export interface EnvironmentRequest {
  readonly env: Env;
  /** The home that the command gets. */
  readonly home: string;
  /** Absolute path of `colab`; null if it was not found. */
  readonly program: string | null;
}

/** The whole environment of a call of `colab`. */
export function colabEnvironment({ env, home, program }: EnvironmentRequest) {
  const passed = Object.entries(env).filter(
    (entry): entry is [string, string] => PASSED_ON.test(entry[0]) && entry[1] !== undefined,
  );
  return {
    ...gcloudPlace(env),
    ...userBase(program),
    ...Object.fromEntries(passed),
    ...PLAIN,
    HOME: home,
  };
}

/**
 * For the bridge of a tunnel, which rents a machine where the store lacks the session. Without
 * credentials it cannot, while an existing session with a fresh token needs none.
 */
export const NO_CREDENTIALS = { GOOGLE_APPLICATION_CREDENTIALS: "/nonexistent" } as const;

/** gcloud's login is found below the home, which is another one here. */
function gcloudPlace(env: Env): Record<string, string> {
  const home = env["HOME"];
  if (!home) return {};
  const place = join(home, ".config", "gcloud");
  return existsSync(place) ? { CLOUDSDK_CONFIG: place } : {};
}

/** A `pip install --user` is found below the home too; its programs lie in `<user base>/bin`. */
function userBase(program: string | null): Record<string, string> {
  if (program === null) return {};
  const folder = dirname(realpathSync(program));
  return folder.endsWith("/bin") ? { PYTHONUSERBASE: dirname(folder) } : {};
}
