import { readFileSync } from "node:fs";
import { resolve } from "node:path";

import { type Static, Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";

import { PlanView } from "../routing/plan.ts";
import { type Command, EXIT, JSON_OPTION, usageProblem, type Words } from "./command.ts";
import { planTable } from "./explain/plan-table.ts";
import { callServer, isServerUrl, SERVER_OPTIONS } from "./server/server-call.ts";
import { paint } from "./terminal/color.ts";
import type { Shell } from "./terminal/shell.ts";

/** The part of the answer that is shown; more may be there. */
const Explanation = Type.Object({
  plan: PlanView,
  profile: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  strategy: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  notes: Type.Optional(Type.Array(Type.String())),
});

/** Requests beyond this are not needed to see where one goes. */
const MAX_BYTES = 32 * 1024 * 1024;

export const explain: Command = {
  name: "explain",
  summary: "Show where a request would go and why, without sending it to a model.",
  forms: ["MODEL [--prompt TEXT|- | --body FILE|-] [--url URL] [--json]"],
  notes: [
    "Asks the running server. `-` reads the prompt or the body from standard input. The layers and",
    "the ways back are in docs/explain.md.",
  ].join("\n"),
  maxPositionals: 1,
  options: {
    prompt: { value: "TEXT", description: "The user message; a short one is the default." },
    body: { value: "FILE", description: "The whole request as JSON, but for its model." },
    ...SERVER_OPTIONS,
    json: JSON_OPTION,
  },
  run: async ({ positionals, values, flags }, shell) => {
    const [model] = positionals;
    if (model === undefined) {
      return usageProblem(explain, "name a model, pool or target, such as `auto`", shell);
    }
    if (!isServerUrl(values["url"])) {
      return usageProblem(explain, `\`${values["url"]}\` is no http or https URL`, shell);
    }
    const body = await requestBody(model, values, shell);
    if (typeof body === "string") return usageProblem(explain, body, shell);
    const answer = await callServer(
      { path: "/v1/routing/explain", body, url: values["url"] },
      shell,
    );
    if (!answer.ok) {
      shell.complain(`veriroute explain: ${answer.problem}`);
      return EXIT.failed;
    }
    if (!Value.Check(Explanation, answer.body)) {
      shell.complain("veriroute explain: the answer holds no plan; is this server a veriroute?");
      return EXIT.failed;
    }
    if (flags.has("json")) shell.print(JSON.stringify(answer.body));
    else printPlan(model, answer.body, shell);
    return EXIT.ok;
  },
};

/** The request to be explained, or why the words make none. */
async function requestBody(
  model: string,
  { prompt, body }: Words["values"],
  shell: Shell,
): Promise<object | string> {
  if (body === undefined) {
    const content = prompt === "-" ? await readInput(shell) : (prompt ?? "Hello");
    if (content === null) return "the prompt is longer than 32 MiB or not UTF-8";
    return { model, messages: [{ role: "user", content }] };
  }
  if (prompt !== undefined) return "`--prompt` and `--body` both say what is asked; give one";
  const text = body === "-" ? await readInput(shell) : readFile(resolve(shell.cwd, body));
  if (text === null) return `\`${body}\` cannot be read, is longer than 32 MiB or not UTF-8`;
  const parsed = parsedObject(text);
  return parsed === null ? `\`${body}\` holds no JSON object` : { ...parsed, model };
}

function parsedObject(text: string): object | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && !Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}

function readFile(path: string): string | null {
  try {
    return decoded(readFileSync(path));
  } catch {
    return null;
  }
}

async function readInput(shell: Shell): Promise<string | null> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of shell.input()) {
    size += part.length;
    if (size > MAX_BYTES) return null;
    parts.push(part);
  }
  return decoded(Buffer.concat(parts));
}

function decoded(bytes: Uint8Array): string | null {
  if (bytes.length > MAX_BYTES) return null;
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

function printPlan(model: string, answer: Static<typeof Explanation>, shell: Shell): void {
  const { plan, strategy, profile, notes } = answer;
  const { candidates } = plan;
  const count = candidates.filter(({ eligible }) => eligible).length;
  const order = strategy ? `, in the order of \`${strategy}\`` : "";
  const under = profile ? `, under profile \`${profile}\`` : "";
  shell.print(`\`${model}\`: ${count} of ${candidates.length} targets eligible${order}${under}`);
  const mark = (text: string) => paint(shell, "red", text);
  if (candidates.length > 0) shell.print(planTable(plan, shell.clock.now(), mark));
  for (const note of notes ?? []) shell.print(`note: ${note}`);
}
