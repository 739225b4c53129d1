import { parseArgs } from "node:util";

import { likelyName } from "../../lib/nearest.ts";
import type { Command, Words } from "../command.ts";

export type ParsedWords =
  | { readonly kind: "words"; readonly words: Words }
  | { readonly kind: "help" }
  | { readonly kind: "version" }
  | { readonly kind: "problem"; readonly problem: string };

type Token = NonNullable<ReturnType<typeof parseArgs>["tokens"]>[number];
type OptionToken = Extract<Token, { kind: "option" }>;

/** Reads the words after a command's name by what the command declares. */
export function parseWords(args: readonly string[], command: Command): ParsedWords {
  const { tokens } = parseArgs({
    args: [...args],
    strict: false,
    allowPositionals: true,
    tokens: true,
    options: optionTypes(command),
  });
  const positionals: string[] = [];
  const values: Record<string, string> = {};
  const flags = new Set<string>();
  for (const token of tokens) {
    if (token.kind === "positional") positionals.push(token.value);
    if (token.kind !== "option") continue;
    if (token.name === "help" || token.name === "h") return { kind: "help" };
    if (token.name === "version" || token.name === "V") return { kind: "version" };
    const problem = optionProblem(token, command);
    if (problem !== null) return { kind: "problem", problem };
    if (token.value === undefined) flags.add(token.name);
    else values[token.name] = token.value;
  }
  const problem = positionalProblem(positionals, command);
  if (problem !== null) return { kind: "problem", problem };
  return { kind: "words", words: { positionals, values, flags } };
}

function optionTypes({ options }: Command) {
  return Object.fromEntries(
    Object.entries(options).map(([name, { value, short }]) => [
      name,
      {
        type: value === undefined ? ("boolean" as const) : ("string" as const),
        ...(short === undefined ? {} : { short }),
      },
    ]),
  );
}

function optionProblem(token: OptionToken, command: Command): string | null {
  const option = Object.hasOwn(command.options, token.name)
    ? command.options[token.name]
    : undefined;
  if (option === undefined) return unknownOption(token, command);
  if (option.value === undefined) {
    return token.value === undefined ? null : `\`${token.rawName}\` takes no value`;
  }
  // `--config --json` is a forgotten value; `--name=--odd` says what it means.
  const forgotten = !token.inlineValue && (token.value?.startsWith("--") ?? true);
  if (forgotten) return `\`${token.rawName}\` needs a value: ${token.rawName} ${option.value}`;
  return token.value === "" ? `\`${token.rawName}\` is empty` : null;
}

function unknownOption(token: OptionToken, command: Command): string {
  const known = [...Object.keys(command.options), "help", "version"];
  const nearest = likelyName(token.name, known);
  const hint = nearest === undefined ? "" : `; did you mean \`--${nearest}\`?`;
  return `unknown option \`${token.rawName}\`${hint}`;
}

function positionalProblem(positionals: readonly string[], command: Command): string | null {
  const extra = positionals[command.maxPositionals];
  if (extra !== undefined) return `unexpected argument \`${extra}\``;
  if (command.actions === undefined) return null;
  const [action] = positionals;
  const choices = command.actions.map((name) => `\`${name}\``).join(", ");
  if (action === undefined) return `say what to do: ${choices}`;
  if (command.actions.includes(action)) return null;
  const nearest = likelyName(action, command.actions);
  const hint =
    nearest === undefined ? `one of ${choices} is expected` : `did you mean \`${nearest}\`?`;
  return `unknown action \`${action}\`; ${hint}`;
}
