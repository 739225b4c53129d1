/**
 * What machines without GPU have prepared, on this computer's disk: a directory for each key, with parts
 * and a manifest that is written last. Without its manifest a directory is nothing.
 */
import { mkdir, readdir, readFile, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";

import { type Static, Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";

import { replaceFile, syncDirectory, writeNewFile } from "../leases/durable-file.ts";

const Manifest = Type.Object({
  schema: Type.Literal(1),
  key: Type.String(),
  /** Epoch ms. */
  made_at: Type.Integer({ minimum: 0 }),
  /** The interpreter that it is for, such as `3.13`. */
  python: Type.String(),
  /** `name==version`. */
  packages: Type.Array(Type.String()),
  wheels: Type.Array(Type.String()),
  parts: Type.Array(
    Type.Object({
      /** Where it lies on a machine. */
      path: Type.String(),
      bytes: Type.Integer({ minimum: 1 }),
      sha256: Type.String(),
    }),
    { minItems: 1 },
  ),
});
export type Manifest = Static<typeof Manifest>;

export interface Draft {
  /** The next part, on disk for good. Throws what the file system throws. */
  readonly addPart: (content: Uint8Array) => Promise<void>;
  /** Takes the place of what was there under that key. */
  readonly finish: (manifest: Omit<Manifest, "schema" | "key">) => Promise<void>;
  readonly discard: () => Promise<void>;
}

export interface BakedEntry {
  /** Of its directory. */
  readonly name: string;
  readonly path: string;
  readonly bytes: number;
  /** Of its directory's last change, epoch ms. */
  readonly changed_at: number;
  /** Null where it is not whole. */
  readonly manifest: Manifest | null;
}

export interface BakedFiles {
  /** Null where nothing of that key is there, whole. Never rejects. */
  readonly read: (key: string) => Promise<Manifest | null>;
  /** Null where it is not what the manifest says. Never rejects. */
  readonly readPart: (key: string, index: number) => Promise<Uint8Array | null>;
  /** A new one of that key, of which nothing is seen before it is whole. */
  readonly begin: (key: string) => Promise<Draft>;
  readonly list: () => Promise<readonly BakedEntry[]>;
  readonly remove: (name: string) => Promise<void>;
}

const MANIFEST = "manifest.json";
const KEY = /^[a-z0-9][a-z0-9-]*$/;

export function openBakedFiles(root: string): BakedFiles {
  const read = async (key: string) => (KEY.test(key) ? wholeIn(join(root, key), key) : null);
  return {
    read,
    async readPart(key, index) {
      const part = (await read(key))?.parts[index];
      if (part === undefined) return null;
      const content = await readFile(partFile(join(root, key), index)).catch(() => null);
      return content !== null && sha256(content) === part.sha256 ? new Uint8Array(content) : null;
    },
    begin: (key) => beginIn(root, key),
    async list() {
      const names: readonly string[] = await readdir(root).catch(() => []);
      return Promise.all(names.toSorted().map((name) => entryOf(root, name)));
    },
    async remove(name) {
      const path = join(root, name);
      // First: what is half removed is nothing.
      await rm(join(path, MANIFEST), { force: true });
      await rm(path, { recursive: true, force: true });
    },
  };
}

async function beginIn(root: string, key: string): Promise<Draft> {
  // Whoever makes one of a key is alone in that: what is there of another was cut short.
  for (const name of await readdir(root).catch(() => [])) {
    if (name.startsWith(`.${key}.`)) await rm(join(root, name), { recursive: true, force: true });
  }
  const place = join(root, `.${key}.${Bun.randomUUIDv7()}`);
  await mkdir(place, { recursive: true, mode: 0o700 });
  let count = 0;
  return {
    addPart: (content) => writeNewFile(partFile(place, count++), content),
    async finish(manifest) {
      const whole = { schema: 1, key, ...manifest };
      await replaceFile(join(place, MANIFEST), `${JSON.stringify(whole, null, 2)}\n`);
      const path = join(root, key);
      await rm(join(path, MANIFEST), { force: true });
      await rm(path, { recursive: true, force: true });
      await rename(place, path);
      await syncDirectory(root);
    },
    discard: () => rm(place, { recursive: true, force: true }),
  };
}

function partFile(directory: string, index: number): string {
  return join(directory, `part-${String(index).padStart(3, "0")}`);
}

/** The manifest of a directory all of whose parts are there in full length. */
async function wholeIn(directory: string, key: string): Promise<Manifest | null> {
  try {
    const found: unknown = JSON.parse(await readFile(join(directory, MANIFEST), "utf8"));
    if (!Value.Check(Manifest, found) || found.key !== key) return null;
    for (const [index, { bytes }] of found.parts.entries()) {
      if ((await stat(partFile(directory, index))).size !== bytes) return null;
    }
    return found;
  } catch {
    return null;
  }
}

async function entryOf(root: string, name: string): Promise<BakedEntry> {
  const path = join(root, name);
  const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: 0 }));
  const manifest = KEY.test(name) ? await wholeIn(path, name) : null;
  const changed_at = manifest?.made_at ?? Math.round(mtimeMs);
  return { name, path, bytes: await sizeOf(path), changed_at, manifest };
}

async function sizeOf(directory: string): Promise<number> {
  const names = await readdir(directory).catch(() => []);
  const sizes = names.map(async (name) => (await stat(join(directory, name))).size);
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}

export function sha256(content: Uint8Array): string {
  return new Bun.CryptoHasher("sha256").update(content).digest("hex");
}
