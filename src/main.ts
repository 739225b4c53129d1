import { runCommandLine } from "./cli/command-line.ts";
import { systemShell } from "./cli/terminal/shell.ts";

process.exitCode = await runCommandLine(process.argv.slice(2), systemShell());
