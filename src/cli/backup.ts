import { resolve } from "node:path";

import { backupDatabase } from "../store/backup.ts";
import { type Command, EXIT, usageProblem } from "./command.ts";
import { databaseFile, locate } from "./setup/locate.ts";

export const backup: Command = {
  name: "backup",
  summary: "Copy the database into a new file, while it is in use or not.",
  forms: ["FILE"],
  notes: "Refuses to overwrite. To restore, see docs/operations.md.",
  maxPositionals: 1,
  options: {},
  run: async ({ positionals: [file] }, shell) => {
    if (file === undefined || file === "")
      return usageProblem(backup, "name the file to write", shell);
    const located = locate(shell);
    if (!located.ok) {
      shell.complain(`veriroute backup: ${located.problem}`);
      return EXIT.failed;
    }
    const { path, size_bytes } = backupDatabase(
      databaseFile(located.paths),
      resolve(shell.cwd, file),
    );
    shell.print(`wrote ${path}, ${size_bytes} bytes`);
    return EXIT.ok;
  },
};
