import { readdir, readFile, stat } from "node:fs/promises";
import { dirname, join } from "node:path";

import { type ModelFacts, unknownModel } from "../../sizing/model-facts.ts";
import { readModelConfig } from "../../sizing/read-config.ts";
import { readFiles, type RepositoryFile } from "../../sizing/read-files.ts";

export type LocalModel =
  | { readonly ok: true; readonly facts: ModelFacts }
  /** What is wrong with the path, and what would be right. */
  | { readonly ok: false; readonly problem: string };

const MAX_CONFIG_BYTES = 1024 * 1024;

/** Whether a person means a file or folder of this machine; `org/name` is a repository. */
export function isLocalPath(text: string): boolean {
  return /^(?:\.{0,2}\/|\.\.?$)/.test(text) || text.endsWith(".json");
}

/** A model from its `config.json`, or the folder it is in, with the sizes of the weights beside it. */
export async function readLocalModel(path: string): Promise<LocalModel> {
  const isFile = path.endsWith(".json");
  const file = isFile ? path : join(path, "config.json");
  const folder = isFile ? dirname(path) : path;
  let value: unknown;
  try {
    const { size } = await stat(file);
    if (size > MAX_CONFIG_BYTES) return { ok: false, problem: `\`${file}\` is larger than 1 MiB` };
    value = JSON.parse(await readFile(file, "utf8"));
  } catch (error) {
    const reason = error instanceof SyntaxError ? "is no JSON" : "cannot be read";
    const problem = `\`${file}\` ${reason}; give the \`config.json\` of a model, or its folder`;
    return { ok: false, problem };
  }
  const read = readModelConfig(value);
  if (read === null) return { ok: false, problem: `\`${file}\` holds no JSON object` };
  const name = folder.split("/").findLast((part) => part !== "" && part !== ".");
  return {
    ok: true,
    facts: {
      ...unknownModel(name ?? path),
      ...readFiles(await filesIn(folder)),
      ...read,
      notes: [`metadata from \`${file}\``],
    },
  };
}

async function filesIn(folder: string): Promise<readonly RepositoryFile[]> {
  try {
    const names = await readdir(folder);
    const weights = names.filter((name) => /\.(?:safetensors|bin|gguf)$/.test(name));
    return await Promise.all(
      weights.map(async (name) => ({ name, bytes: (await stat(join(folder, name))).size })),
    );
  } catch {
    return [];
  }
}
