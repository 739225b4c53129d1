import type { Paths, RunningApp } from "../../app.ts";
import { keyText } from "../harness/harness.ts";
import { paint } from "../terminal/color.ts";
import type { Shell } from "../terminal/shell.ts";
import { table } from "../terminal/table.ts";
import { VERSION } from "../version.ts";
import type { Found, FoundInstance } from "./running-app.ts";

/** Tells what runs where, what it found, and a first request to paste. */
export async function printBanner(
  app: RunningApp,
  { paths, notice }: { readonly paths: Paths; readonly notice: string | null },
  shell: Shell,
): Promise<void> {
  shell.print(`${paint(shell, "bold", `veriroute ${VERSION}`)} listens on ${app.url}`);
  await app.discovered;
  const found = app.found();
  shell.print(table(facts(app, paths, found), "  "));
  if (notice !== null) shell.print(paint(shell, "yellow", `  ${notice}`));
  shell.print(["", "try it:", tryLine(app.url, found), ""].join("\n"));
}

function facts(app: RunningApp, { config_file, state_dir }: Paths, found: Found): string[][] {
  return [
    ["docs", `${app.url}/swagger`],
    ["config", config_file ?? "none, defaults; `veriroute init` writes one"],
    ["state", state_dir],
    ["clients", clientLine(app.url, found)],
    ["keys", found.keys_required ? "required" : "none: everyone on this machine may use it"],
    ...rows("proxy", found.proxies, "none"),
    ...rows("providers", found.instances.map(describeInstance), NOTHING_FOUND),
  ];
}

/** One row for each text, the first with the label; `none` where there is no text. */
function rows(label: string, texts: readonly string[], none: string): string[][] {
  return (texts.length === 0 ? [none] : texts).map((text, at) => [at === 0 ? label : "", text]);
}

const NOTHING_FOUND =
  "none: requests go to the simulator; set OPENAI_API_KEY, OPENROUTER_API_KEY … or start Ollama";

function describeInstance({ name, source, base_url, models, problem }: FoundInstance): string {
  if (problem !== null) return `${name}: ${problem}`;
  const origin = {
    config: "config",
    runtime: "rented",
    environment: "credential in the environment",
  } as const;
  const from =
    source === "local" || source === "builtin" ? `${source}, ${base_url}` : origin[source];
  return `${name} (${from})${models === null ? "" : `, ${models} models`}`;
}

/** Works when pasted, for what reads the variables of OpenAI's SDKs; `setup` knows other clients. */
function clientLine(url: string, { keys_required }: Found): string {
  return `export OPENAI_BASE_URL="${url}/v1" OPENAI_API_KEY="${keyText({ needs_key: keys_required })}"`;
}

/** Works when pasted: `auto` always leads somewhere, to the simulator if to nothing else. */
function tryLine(url: string, { keys_required }: Found): string {
  const key = keys_required ? ` -H "authorization: Bearer $VERIROUTE_KEY"` : "";
  const body = { model: "auto", messages: [{ role: "user", content: "Say hello" }] };
  return `  curl ${url}/v1/chat/completions -H 'content-type: application/json'${key} -d '${JSON.stringify(body)}'`;
}
