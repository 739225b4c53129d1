import { LEASE_NAME } from "../runtimes/lease.ts";
import {
  type Command,
  CONFIG_OPTION,
  EXIT,
  JSON_OPTION,
  usageProblem,
  type Words,
} from "./command.ts";
import { runAdopt } from "./runtimes/adopt.ts";
import { type Asked, ASKED_OPTIONS, readAsked } from "./runtimes/asked.ts";
import { runBake } from "./runtimes/bake.ts";
import { runCache } from "./runtimes/cache.ts";
import { runDown } from "./runtimes/down.ts";
import { runEstimate } from "./runtimes/estimate.ts";
import { DEFAULT_LINES, readLines, runLogs } from "./runtimes/logs.ts";
import { openOwnRuntimes, type OwnRuntimes } from "./runtimes/own.ts";
import { runStatus } from "./runtimes/status.ts";
import { runUp } from "./runtimes/up.ts";
import { sayWithoutFile } from "./runtimes/without-file.ts";
import { isServerUrl, SERVER_OPTIONS } from "./server/server-call.ts";
import type { Shell } from "./terminal/shell.ts";

export const runtimes: Command = {
  name: "runtimes",
  summary: "Rent a Colab GPU that serves a model, see what it costs, and give it back.",
  forms: [
    "estimate REPO [--context N] [--quant Q] [--gpu G] [--concurrency N] [--json]",
    "up REPO [--gpu G] [--name NAME] --yes [--foreground] [--no-watchdog] [as estimate]",
    "status [--check] [--json]",
    "down NAME",
    "logs NAME [--lines N] [--json]",
    "adopt ENDPOINT [--name NAME] [--json]",
    "bake REPO --yes [--json] [as estimate]",
    "cache [gc] [--remove NAME|leftovers] [--json]",
  ],
  notes: [
    "`estimate` is free: it starts nothing, writes nothing, and works while `runtimes.enabled` is false.",
    "`up` and `bake` cost money. `bake` prepares, on a machine without GPU, what starts would do on one",
    "with a GPU, and keeps it here; `cache` lists it, and deletes only what `--remove` names. For `up` a",
    "running server rents the GPU and keeps its deadlines; with `--foreground`, and for `bake`, this",
    "process does. `status` and `down` need no server. REPO is a repository of the Hugging Face Hub, for",
    "`estimate` also the path of a config.json or its folder. See docs/runtimes.md and docs/sizing.md.",
  ].join("\n"),
  actions: ["estimate", "up", "status", "down", "logs", "adopt", "bake", "cache"],
  maxPositionals: 2,
  options: {
    ...ASKED_OPTIONS,
    name: { value: "NAME", description: "Name of the runtime, and of its provider (up, adopt)." },
    yes: { description: "Yes to what it costs (up, bake)." },
    foreground: { description: "Serve from this process, and end with the runtime (up)." },
    "no-watchdog": { description: "Take a machine that cannot release itself, too (up)." },
    check: { description: "Ask Colab what runs, too (status)." },
    lines: { value: "N", description: `Last lines of each log (logs). Default: ${DEFAULT_LINES}.` },
    remove: {
      value: "NAME",
      description: "What to remove, or `leftovers` for all of no more use (cache).",
    },
    ...SERVER_OPTIONS,
    config: CONFIG_OPTION,
    json: JSON_OPTION,
  },
  run: async (words, shell) => {
    const [action = "", subject] = words.positionals;
    const problem = wrongWords(action, subject, words);
    if (problem !== null) return usageProblem(runtimes, problem, shell);
    const asked = readAsked(words.values);
    if (!asked.ok) return usageProblem(runtimes, asked.problem, shell);
    if (action === "estimate") return runEstimate(subject ?? "", asked.value, words, shell);
    const opened = openOwnRuntimes(shell, words.values["config"]);
    if (!opened.ok) {
      shell.complain(`veriroute runtimes: ${opened.problem}`);
      return EXIT.failed;
    }
    return act(
      { action, subject: subject ?? "", own: opened.own, asked: asked.value, words },
      shell,
    );
  },
};

interface Action {
  readonly action: string;
  readonly subject: string;
  readonly own: OwnRuntimes;
  readonly asked: Asked;
  readonly words: Words;
}

function act({ action, subject, own, asked, words }: Action, shell: Shell): Promise<number> {
  switch (action) {
    case "up":
      return runUp({ own, repo: subject, asked, words }, shell);
    case "status":
      sayWithoutFile(own, shell);
      return runStatus(own, words, shell);
    case "down":
      return runDown(own, subject, words, shell);
    case "logs": {
      const lines = readLines(words.values["lines"]) ?? DEFAULT_LINES;
      return runLogs(own, { name: subject, lines }, words, shell);
    }
    case "adopt":
      return runAdopt(own, subject, words, shell);
    case "bake":
      return runBake({ own, repo: subject, asked, words }, shell);
    default:
      return runCache(own, subject, words, shell);
  }
}

/** What each action is about; the others are about nothing. */
const SUBJECTS: Readonly<Record<string, string>> = {
  estimate: "name a model: veriroute runtimes estimate REPO",
  up: "name a model: veriroute runtimes up REPO --yes",
  down: "say which runtime: veriroute runtimes down NAME",
  logs: "say which runtime: veriroute runtimes logs NAME",
  adopt: "say which machine: veriroute runtimes adopt ENDPOINT",
  bake: "name a model: veriroute runtimes bake REPO",
};

/** Options that only some actions know. */
const OPTIONS: Readonly<Record<string, readonly string[]>> = {
  name: ["up", "adopt"],
  yes: ["up", "bake"],
  remove: ["cache"],
  foreground: ["up"],
  "no-watchdog": ["up"],
  check: ["status"],
  lines: ["logs"],
  url: ["up", "down", "logs", "adopt"],
};

function wrongSubject(action: string, subject: string | undefined): string | null {
  const missing = SUBJECTS[action];
  if (subject === undefined) return missing ?? null;
  const isGc = action === "cache" && subject === "gc";
  if (missing === undefined && !isGc) return `unexpected argument \`${subject}\``;
  const isName = action === "down" || action === "logs";
  if (isName && !LEASE_NAME.test(subject)) return `\`${subject}\` is no name of a runtime`;
  return null;
}

function wrongWords(action: string, subject: string | undefined, words: Words): string | null {
  const wrong = wrongSubject(action, subject);
  if (wrong !== null) return wrong;
  const stray = Object.entries(OPTIONS).find(
    ([option, actions]) =>
      (words.flags.has(option) || words.values[option] !== undefined) && !actions.includes(action),
  );
  if (stray !== undefined) return `\`--${stray[0]}\` goes with \`${stray[1].join("`, `")}\``;
  if (!isServerUrl(words.values["url"])) return "`--url` is no http or https URL";
  if (readLines(words.values["lines"]) === null)
    return "`--lines` is no whole number from 1 to 500";
  return null;
}
