import type { GgufFile, ModelFacts } from "./model-facts.ts";
import { sum } from "./tensors.ts";

export interface RepositoryFile {
  /** Path inside the repository. */
  readonly name: string;
  /** Bytes; null where it is not said. */
  readonly bytes: number | null;
}

/** What the names and sizes of a repository's files say about its weights. */
export function readFiles(
  files: readonly RepositoryFile[],
): Pick<ModelFacts, "file_bytes" | "gguf"> {
  return { file_bytes: weightBytes(files), gguf: ggufFiles(files) };
}

/** The same weights are often there twice, as safetensors and as pickles, or once more in one piece. */
function weightBytes(files: readonly RepositoryFile[]): number | null {
  const top = files.filter(({ name }) => !name.includes("/"));
  const safetensors = top.filter(({ name }) => name.endsWith(".safetensors"));
  const shards = safetensors.filter(({ name }) => !/^(?:consolidated|adapter)/.test(name));
  const chosen = [
    shards,
    safetensors,
    top.filter(({ name }) => /^pytorch_model.*\.bin$/.test(name)),
  ].find((group) => group.length > 0);
  return chosen === undefined ? null : total(chosen);
}

/** Null as soon as one size is missing: a part is no bound of the whole. */
function total(files: readonly RepositoryFile[]): number | null {
  const sizes = files.flatMap(({ bytes }) => (bytes === null ? [] : [bytes]));
  return sizes.length < files.length || sum(sizes) === 0 ? null : sum(sizes);
}

const VARIANT = /(?:^|[-._/])(i?q\d(?:_[a-z0-9]+)*|b?f16|f32)(?=[-./]|$)/i;

function ggufFiles(files: readonly RepositoryFile[]): readonly GgufFile[] {
  const byVariant = Map.groupBy(
    files.filter(({ name }) => name.endsWith(".gguf") && !/mmproj/i.test(name)),
    ({ name }) => VARIANT.exec(name)?.[1]?.toLowerCase() ?? "",
  );
  return [...byVariant].flatMap(([variant, parts]) => {
    const bytes = total(parts);
    return variant === "" || bytes === null ? [] : [{ variant, bytes }];
  });
}
