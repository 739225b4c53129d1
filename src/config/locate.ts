import type { EnvironmentLayer } from "./environment.ts";
import type { FileLayer } from "./file-layer.ts";
import { type ConfigProblem, type Finding, formatPath, type Path } from "./problem.ts";
import { valueAt } from "./tree.ts";

interface Places {
  readonly file: FileLayer;
  readonly environment: EnvironmentLayer;
}

/** Turns a finding into a problem at the place that gave the value: a variable, else the file. */
export function locator({ file, environment }: Places): (finding: Finding) => ConfigProblem {
  return ({ path, message, hint = null }) => {
    const words = { path: formatPath(path), message, hint };
    const variable = settingVariable(path, environment.variables);
    const inFile = path.some((_, index) => isDefined(file, path.slice(0, index + 1)));
    const source = variable ?? (inFile ? undefined : variableBelow(path, environment.variables));
    if (source !== undefined) return { source, line: null, column: null, ...words };
    if (file.path === null) return { source: "configuration", line: null, column: null, ...words };
    if (path.length === 0) return { source: file.path, line: null, column: null, ...words };
    return { source: file.path, ...file.positionOf(path), ...words };
  };
}

function isDefined(file: FileLayer, path: Path): boolean {
  return valueAt(file.tree, path) !== undefined;
}

/** The variable that set this value or the list around it. */
function settingVariable(path: Path, variables: ReadonlyMap<string, string>): string | undefined {
  for (let length = path.length; length > 0; length--) {
    const variable = variables.get(formatPath(path.slice(0, length)));
    if (variable !== undefined) return variable;
  }
  return undefined;
}

/** A variable that set something inside this table. */
function variableBelow(path: Path, variables: ReadonlyMap<string, string>): string | undefined {
  const start = `${formatPath(path)}.`;
  return [...variables].find(([dotted]) => dotted.startsWith(start))?.[1];
}
