import { type Command, CONFIG_OPTION, JSON_OPTION, usageProblem } from "./command.ts";
import { ASKED_OPTIONS, readAsked } from "./runtimes/asked.ts";
import { runEstimate } from "./runtimes/estimate.ts";

export const runtimes: Command = {
  name: "runtimes",
  summary: "Say which Colab GPU a model needs, and what that costs.",
  forms: ["estimate REPO [--context N] [--quant Q] [--gpu G] [--concurrency N] [--json]"],
  notes: [
    "`estimate` is free: it starts nothing, writes nothing, and works while `runtimes.enabled` is false.",
    "REPO is a repository of the Hugging Face Hub, or the path of a config.json or its folder. The sums",
    "are in docs/sizing.md.",
  ].join("\n"),
  actions: ["estimate"],
  maxPositionals: 2,
  options: { ...ASKED_OPTIONS, config: CONFIG_OPTION, json: JSON_OPTION },
  run: async (words, shell) => {
    const [, repo] = words.positionals;
    if (repo === undefined) {
      return usageProblem(runtimes, "name a model: veriroute runtimes estimate REPO", shell);
    }
    const asked = readAsked(words.values);
    if (!asked.ok) return usageProblem(runtimes, asked.problem, shell);
    return runEstimate(repo, asked.value, words, shell);
  },
};
