import { type Static, Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";

import { PlanView } from "../routing/plan.ts";
import { type Command, EXIT, JSON_OPTION, usageProblem } from "./command.ts";
import { callServer, isServerUrl, SERVER_OPTIONS } from "./server/server-call.ts";
import { paint } from "./terminal/color.ts";
import type { Shell } from "./terminal/shell.ts";
import { table } from "./terminal/table.ts";

/** The part of the answer that is shown; more may be there. */
const Explanation = Type.Object({
  plan: PlanView,
  strategy: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  notes: Type.Optional(Type.Array(Type.String())),
});

/** Prompts beyond this are not needed to see where a request goes. */
const MAX_PROMPT_BYTES = 32 * 1024 * 1024;

export const explain: Command = {
  name: "explain",
  summary: "Show where a request would go and why, without sending it to a model.",
  forms: ["MODEL [--prompt TEXT|-] [--url URL] [--json]"],
  notes: "Asks the running server. `--prompt -` reads the prompt from standard input.",
  maxPositionals: 1,
  options: {
    prompt: { value: "TEXT", description: "The user message; `-` reads standard input." },
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
    const prompt = values["prompt"] === "-" ? await readAll(shell) : (values["prompt"] ?? "Hello");
    if (prompt === null) {
      return usageProblem(explain, "the prompt is longer than 32 MiB or not UTF-8", shell);
    }
    const body = { model, messages: [{ role: "user", content: prompt }] };
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

async function readAll(shell: Shell): Promise<string | null> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of shell.input()) {
    size += part.length;
    if (size > MAX_PROMPT_BYTES) return null;
    parts.push(part);
  }
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(parts));
  } catch {
    return null;
  }
}

function printPlan(model: string, answer: Static<typeof Explanation>, shell: Shell): void {
  const { candidates } = answer.plan;
  const count = candidates.filter(({ eligible }) => eligible).length;
  const order = answer.strategy ? `, in the order of \`${answer.strategy}\`` : "";
  shell.print(`\`${model}\`: ${count} of ${candidates.length} targets eligible${order}`);
  let place = 0;
  const rows = candidates.map(({ target, eligible, reasons }) => {
    const position = eligible ? String(++place) : paint(shell, "red", "-");
    return [position, target, reasons.map((reason) => describeReason(reason)).join("; ")];
  });
  if (rows.length > 0) shell.print(table(rows, "  "));
  for (const note of answer.notes ?? []) shell.print(`note: ${note}`);
}

function describeReason({ layer, code, detail, until_at }: PlanReason): string {
  const until = until_at === null ? "" : ` until ${new Date(until_at).toISOString()}`;
  return `L${layer} ${code}${detail === null ? "" : ` (${detail})`}${until}`;
}

type PlanReason = PlanView["candidates"][number]["reasons"][number];
