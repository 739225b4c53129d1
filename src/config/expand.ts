import { variableName } from "./environment.ts";
import { isSecret, schemaAt } from "./keys.ts";
import { type Finding, formatPath, type Path } from "./problem.ts";
import {
  expandSecret,
  expandVariables,
  type Expansion,
  type ExpansionSources,
  hasVariable,
  isReference,
} from "./secrets.ts";
import { leavesOf, mergeTrees, type Tree, treeOf, withoutPaths } from "./tree.ts";

/** The tree with secrets and variables in place; values that cannot be had are left out and reported. */
export function expandTree(
  tree: Tree,
  sources: ExpansionSources,
): { readonly tree: Tree; readonly findings: readonly Finding[] } {
  const findings: Finding[] = [];
  let expanded = tree;
  for (const { path, value } of leavesOf(tree)) {
    const expansion = typeof value === "string" ? expansionOf(path, value, sources) : undefined;
    if (expansion === undefined) continue;
    if (expansion.ok) expanded = mergeTrees(expanded, treeOf(path, expansion.text));
    else findings.push({ path, message: expansion.message, hint: expansion.hint });
  }
  const broken = new Set(findings.map(({ path }) => formatPath(path)));
  return { tree: withoutPaths(expanded, broken), findings };
}

function expansionOf(path: Path, text: string, sources: ExpansionSources): Expansion | undefined {
  const expands: unknown = schemaAt(path)?.["expands"];
  if (expands === "file") return expandSecret(text, sources);
  return expands === "variables" ? expandVariables(text, sources.env) : undefined;
}

/** `${VAR}` in places where it would be taken for plain text, which nobody means. */
export function strayVariables(tree: Tree): Finding[] {
  return [...leavesOf(tree, { inLists: true })].flatMap(({ path, value }): Finding[] => {
    const schema = schemaAt(path);
    if (typeof value !== "string" || schema === undefined || schema["expands"] !== undefined) {
      return [];
    }
    if (!hasVariable(value)) return [];
    const message = "variables are only replaced in secrets, `headers` and `base_url`";
    const setting = path.filter((key) => !/^\d+$/.test(key));
    const hint =
      setting[0] === "aliases" || setting[0] === "exclusions"
        ? "write the value itself"
        : `write the value itself, or set \`${variableName(setting)}\``;
    return [{ path, message, hint }];
  });
}

/** Paths of secrets that stand in the tree themselves, rather than by reference. */
export function writtenSecrets(tree: Tree): readonly Path[] {
  return [...leavesOf(tree)]
    .filter(
      ({ path, value }) =>
        typeof value === "string" && isSecret(schemaAt(path)) && !isReference(value),
    )
    .map(({ path }) => path);
}
