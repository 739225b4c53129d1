import { expect, test } from "bun:test";
import { dirname, join, relative } from "node:path";

const PURE_FOLDERS = "address catalog protocol privacy sizing verify health routing canary";

/** Which folder of src/ may import which. A folder may always import itself; `x:types` allows `import type` only. */
const MAY_IMPORT: Record<string, string> = {
  lib: "",
  address: "lib",
  protocol: "lib address",
  catalog: "lib address protocol:types",
  privacy: "lib address protocol",
  sizing: "lib catalog",
  verify: "lib protocol",
  health: "lib address catalog protocol verify",
  routing: "lib address catalog protocol",
  canary: "lib address catalog protocol verify health",
  config: `lib ${PURE_FOLDERS}`,
  telemetry: `lib config ${types(PURE_FOLDERS)}`,
  store: `lib config telemetry:types ${types(PURE_FOLDERS)}`,
  upstream: "lib config telemetry address catalog protocol",
  relay: `lib config ${PURE_FOLDERS} telemetry upstream`,
  runtimes: "lib config address catalog sizing telemetry upstream",
  control: `lib config ${PURE_FOLDERS} telemetry store upstream relay runtimes`,
  api: `lib config ${PURE_FOLDERS} telemetry store relay runtimes control`,
  "app.ts": `lib config ${PURE_FOLDERS} telemetry store upstream relay runtimes control api`,
  cli: `app.ts lib ${PURE_FOLDERS} config telemetry store runtimes`,
  "main.ts": "cli",
};

const IMPURE =
  /\b(Bun\.|process\.|fetch\(|Date\.now|new Date\(\)|Math\.random|setTimeout|setInterval|console\.)|"(bun|node):|from "(elysia|pino)"/;

function types(folders: string): string {
  return folders.replaceAll(/\w+/g, "$&:types");
}

const folderOf = (path: string) => path.split("/")[0] ?? path;
const files = [...new Bun.Glob("**/*.ts").scanSync("src")].filter((f) => !f.endsWith(".d.ts"));

/** Folders that `text`, living in `file`, imports; `:types` marks those only imported as types. */
function importedFolders(file: string, text: string): string[] {
  const statements = text.matchAll(
    /(?:^|\n)(import|export) (type )?([^;]*?)from "(\.[^"]+)"|import\("(\.[^"]+)"\)|(?:^|\n)import "(\.[^"]+)"/g,
  );
  return [...statements]
    .map(([, , typeOnly, names = "", from, dynamic, bare]) => {
      const path = from ?? dynamic ?? bare ?? "";
      const folder = folderOf(relative("src", join("src", dirname(file), path)));
      const inline = [...names.matchAll(/[{,]\s*(type )?\w/g)];
      const onlyTypes = typeOnly !== undefined || (inline.length > 0 && inline.every((n) => n[1]));
      return onlyTypes ? `${folder}:types` : folder;
    })
    .filter((folder) => folder.split(":")[0] !== folderOf(file));
}

function forbidden(file: string, text: string): string[] {
  const allowed = (MAY_IMPORT[folderOf(file)] ?? "").split(" ");
  return importedFolders(file, text).filter(
    (folder) => !allowed.includes(folder) && !allowed.includes(folder.split(":")[0] ?? ""),
  );
}

test.each(files)("%s imports only what its folder may", async (file) => {
  expect(forbidden(file, await Bun.file(join("src", file)).text())).toEqual([]);
});

test.each(
  files.filter(
    (f) =>
      `lib ${PURE_FOLDERS}`.split(" ").includes(folderOf(f)) &&
      f !== "lib/clock.ts" &&
      f !== "lib/random.ts",
  ),
)("%s is pure", async (file) => {
  expect((await Bun.file(join("src", file)).text()).match(IMPURE)?.[0]).toBeUndefined();
});

test.each<{ file: string; text: string; wants: string[] }>([
  { file: "routing/a.ts", text: 'import { x } from "../health/b.ts";', wants: ["health"] },
  { file: "routing/a.ts", text: 'import type { X } from "../relay/b.ts";', wants: ["relay:types"] },
  { file: "catalog/a.ts", text: 'import type { X } from "../protocol/b.ts";', wants: [] },
  { file: "catalog/a.ts", text: 'import { type X } from "../protocol/b.ts";', wants: [] },
  {
    file: "catalog/a.ts",
    text: 'import { type X, y } from "../protocol/b.ts";',
    wants: ["protocol"],
  },
  { file: "store/a.ts", text: 'const m = await import("../api/b.ts");', wants: ["api"] },
  { file: "upstream/sim/a.ts", text: 'export { x } from "../../relay/b.ts";', wants: ["relay"] },
])("the rule sees $text in $file as $wants", ({ file, text, wants }) => {
  expect(forbidden(file, text)).toEqual(wants);
});
