import type { Command, Option } from "../command.ts";

const OPTIONS_OF_ALL: Readonly<Record<string, Option>> = {
  help: { short: "h", description: "Print this text." },
  version: { short: "V", description: "Print the version." },
};

export function overview(commands: readonly Command[]): string {
  const width = Math.max(...commands.map(({ name }) => name.length));
  return [
    "veriroute routes LLM traffic and checks what comes back.",
    "",
    "Usage: veriroute [COMMAND] [OPTIONS]",
    "",
    "Commands:",
    ...commands.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`),
    "",
    "Without a command: serve. `veriroute COMMAND --help` says more, `--version` prints the version.",
    "Exit codes: 0 ok, 1 failed, 2 wrong usage, 78 bad configuration.",
  ].join("\n");
}

export function helpOf(command: Command): string {
  const forms = command.forms.map((form) => `veriroute ${command.name} ${form}`.trimEnd());
  const options = Object.entries({ ...command.options, ...OPTIONS_OF_ALL });
  const spellings = options.map(([name, option]) => spelling(name, option));
  const width = Math.max(...spellings.map((text) => text.length));
  return [
    command.summary,
    "",
    ...forms.map((form, index) => `${index === 0 ? "Usage: " : "       "}${form}`),
    "",
    "Options:",
    ...options.map(([, { description }], index) =>
      `  ${(spellings[index] ?? "").padEnd(width)}  ${description}`.trimEnd(),
    ),
    ...(command.notes === undefined ? [] : ["", command.notes]),
  ].join("\n");
}

function spelling(name: string, { short, value }: Option): string {
  const long = value === undefined ? `--${name}` : `--${name} ${value}`;
  return short === undefined ? `    ${long}` : `-${short}, ${long}`;
}
