import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";

import { runCommand } from "../../support/shell.ts";
import { tempDir } from "../../support/temp-dir.ts";

test.each([
  { stored: null, code: 0, says: "warning" },
  { stored: "frugal", code: 0, says: "" },
  { stored: "frugla", code: 78, says: "did you mean `frugla`?" },
])(
  "a default profile of which the file knows nothing is looked up in the store, here $stored",
  async ({ stored, code, says }) => {
    using state = tempDir();
    const file = state.file("veriroute.toml");
    await Bun.write(file, '[routing]\ndefault_profile = "frugal"\n');
    const env = { VERIROUTE_STATE_DIR: state.path };
    if (stored !== null) {
      await runCommand(["keys", "create", "--scope", "client"], { env });
      const database = new Database(state.file("veriroute.db"));
      database.query("INSERT INTO profile (name, value) VALUES (?, '{}')").run(stored);
      database.close();
    }

    const checked = await runCommand(["check", file], { env });

    expect(checked.code).toBe(code);
    expect(checked.stderr).toContain(says);
    expect(checked.stderr === "").toBe(says === "");
  },
);
