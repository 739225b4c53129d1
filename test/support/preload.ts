import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { SHIFT_ENVIRONMENT } from "./shifted-clock.ts";

/**
 * Tests never see the user's home, state or credentials: a stray provider variable would let a test
 * reach a vendor, and a stray proxy would carry it there.
 */
const KEPT = /^(PATH|LANG|LC_|TERM|TMPDIR|CI|NO_COLOR|BUN_|VERIROUTE_REQUIRE_ALL|VERIROUTE_BINARY)/;
for (const name of Object.keys(process.env)) {
  if (!KEPT.test(name)) delete process.env[name];
}
const home = mkdtempSync(join(tmpdir(), "veriroute-test-"));
Object.assign(process.env, {
  HOME: home,
  XDG_CONFIG_HOME: join(home, "config"),
  XDG_STATE_HOME: join(home, "state"),
  VERIROUTE_STATE_DIR: join(home, "state", "veriroute"),
  ...SHIFT_ENVIRONMENT,
});
