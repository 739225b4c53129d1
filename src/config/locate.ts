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
    const setting = settingVariable(path, environment.variables);
    const inside = variableInside(path, environment.variables);
    const depth = path.findLastIndex((_, index) => isDefined(file, path.slice(0, index + 1))) + 1;
    const source = setting ?? (inside.depth > depth ? inside.variable : undefined);
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

/** A variable that set something else in the table around a value, and how deep that table is. */
function variableInside(
  path: Path,
  variables: ReadonlyMap<string, string>,
): { readonly depth: number; readonly variable?: string } {
  for (let depth = path.length; depth > 0; depth--) {
    const start = `${formatPath(path.slice(0, depth))}.`;
    const found = [...variables].find(([dotted]) => dotted.startsWith(start));
    if (found !== undefined) return { depth, variable: found[1] };
  }
  return { depth: 0 };
}
