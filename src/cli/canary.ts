import { askServer, show } from "./canary/ask-server.ts";
import { printEvents, printReport, printStatus } from "./canary/print.ts";
import { run } from "./canary/run.ts";
import { CanaryView, EventList, Lifted, ReportView } from "./canary/views.ts";
import { type Command, JSON_OPTION, usageProblem, type Words } from "./command.ts";
import { isServerUrl, SERVER_OPTIONS } from "./server/server-call.ts";
import type { Shell } from "./terminal/shell.ts";

export const canary: Command = {
  name: "canary",
  summary: "Show what the canary found, have it ask now, and lift suspensions.",
  forms: [
    "status [--url URL] [--json]",
    "run [--dry-run] [--url URL] [--json]",
    "history [--report] [--url URL] [--json]",
    "lift ENDPOINT [--forgive] [--url URL] [--json]",
  ],
  notes: [
    "Asks the running server. `run` waits for the end of the round; with `--dry-run` it sends nothing",
    "and shows what would be sent and what a day of it costs, also while the canary is off. ENDPOINT is",
    "what `status` shows. What is asked, and what follows, is in docs/canary.md.",
  ].join("\n"),
  actions: ["status", "run", "history", "lift"],
  maxPositionals: 2,
  options: {
    "dry-run": { description: "Send nothing; show what would be sent (run)." },
    report: { description: "How often suspensions would have been wrong (history)." },
    forgive: { description: "Start the endpoint's ladder again from the bottom (lift)." },
    ...SERVER_OPTIONS,
    json: JSON_OPTION,
  },
  run: async (words, shell) => {
    const problem = wrongWords(words);
    if (problem !== null) return usageProblem(canary, problem, shell);
    const [action = ""] = words.positionals;
    if (action === "run") return run(words, shell);
    if (action === "history") return history(words, shell);
    return action === "lift" ? lift(words, shell) : status(words, shell);
  },
};

/** Flags by the action that they go with. */
const FLAGS: Readonly<Record<string, string>> = {
  "dry-run": "run",
  report: "history",
  forgive: "lift",
};

function wrongWords({ positionals: [action, endpoint], values, flags }: Words): string | null {
  if (!isServerUrl(values["url"])) return `\`${values["url"]}\` is no http or https URL`;
  const stray = Object.entries(FLAGS).find(([flag, of]) => flags.has(flag) && action !== of);
  if (stray !== undefined) return `\`--${stray[0]}\` goes with \`${stray[1]}\``;
  if (action !== "lift")
    return endpoint === undefined ? null : `unexpected argument \`${endpoint}\``;
  return endpoint === undefined ? "say which endpoint: veriroute canary lift ENDPOINT" : null;
}

async function status(words: Words, shell: Shell): Promise<number> {
  const shown = await askServer({ path: "", schema: CanaryView }, words, shell);
  return show(shown, (view) => printStatus(view, shell), { words, shell });
}

async function history(words: Words, shell: Shell): Promise<number> {
  if (words.flags.has("report")) {
    const report = await askServer({ path: "/report", schema: ReportView }, words, shell);
    return show(report, (view) => printReport(view, shell), { words, shell });
  }
  const events = await askServer({ path: "/suspensions", schema: EventList }, words, shell);
  return show(events, (view) => printEvents(view, shell), { words, shell });
}

async function lift(words: Words, shell: Shell): Promise<number> {
  const [, endpoint = ""] = words.positionals;
  const body = { endpoint, forgive: words.flags.has("forgive") };
  const lifted = await askServer({ path: "/lift", body, schema: Lifted }, words, shell);
  const told = ({ level }: { readonly level: number }) =>
    shell.print(`lifted; ${endpoint} serves again, on rung ${level} of its ladder`);
  return show(lifted, told, { words, shell });
}
