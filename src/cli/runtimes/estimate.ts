import { loadConfig } from "../../config/layers.ts";
import { findModel, type FoundModel } from "../../runtimes/metadata/find-model.ts";
import { hubAccess } from "../../runtimes/metadata/hub-access.ts";
import { openStoredPlans } from "../../runtimes/metadata/stored-plans.ts";
import { plansDirectory } from "../../runtimes/places.ts";
import { type RuntimeSettings, runtimeSettings } from "../../runtimes/policy/settings.ts";
import { estimate } from "../../sizing/estimate.ts";
import { EXIT, type Words } from "../command.ts";
import { locate, type Located } from "../setup/locate.ts";
import type { Shell } from "../terminal/shell.ts";
import { VERSION } from "../version.ts";
import type { Asked } from "./asked.ts";
import { estimateJson, estimateText } from "./estimate-report.ts";

/** Prints what a model needs and what that costs; exit code 1 if it fits nowhere or is not found. */
export async function runEstimate(
  repo: string,
  asked: Asked,
  words: Words,
  shell: Shell,
): Promise<number> {
  const located = locate(shell, words.values["config"]);
  const settings = settingsOf(shell, located);
  const state_dir = located.ok ? located.paths.state_dir : null;
  const found = await findForEstimate(repo, { settings, state_dir }, shell);
  if (!found.ok) {
    shell.complain(`veriroute runtimes: ${found.problem}`);
    return EXIT.failed;
  }
  const { facts, plans } = found;
  const today = new Date(shell.clock.now()).toISOString().slice(0, 10);
  const result = estimate({ ...asked, facts, rates: settings?.rates ?? {}, today });
  const report = { facts, plans, asked, result };
  if (words.flags.has("json")) shell.print(JSON.stringify(estimateJson(report)));
  else shell.print(estimateText(report));
  return result.kind === "fits" ? EXIT.ok : EXIT.failed;
}

export interface Finding {
  /** Null: the defaults. */
  readonly settings: RuntimeSettings | null;
  /** Null where there is none. */
  readonly state_dir: string | null;
}

/** What can be known of a model here. */
export async function findForEstimate(
  repo: string,
  { settings, state_dir }: Finding,
  { env, cwd }: Shell,
): Promise<FoundModel> {
  const hf_token = settings?.hf_token ?? null;
  const access = hubAccess({
    env,
    hf_token,
    fetch: (url, init) => fetch(url, init),
    version: VERSION,
  });
  if (!access.ok) return access;
  const stored = state_dir === null ? null : openStoredPlans(plansDirectory(state_dir));
  return findModel({ ...access.hub, repo, cwd, stored });
}

/** What the config says; without a config that is right the defaults do. Only the config file is read. */
function settingsOf(shell: Shell, located: Located): RuntimeSettings | null {
  const result = loadConfig({
    path: located.ok ? located.paths.config_file : null,
    env: shell.env,
    overrides: {},
    // Whether the listener has its keys does not matter here.
    keyScopes: new Set(["client", "admin"]),
  });
  if (result.ok) return runtimeSettings(result.config);
  shell.complain(
    "veriroute runtimes: the config has problems and is left out; `veriroute check` lists them",
  );
  return null;
}
