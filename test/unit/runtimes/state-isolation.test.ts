import { expect, test } from "bun:test";
import { tmpdir } from "node:os";
import { relative } from "node:path";

import { stateDirectory } from "../../../src/config/paths.ts";
import { bakedDirectory, leaseDirectory } from "../../../src/runtimes/places.ts";

const isWithin = (parent: string, path: string) => !relative(parent, path).startsWith("..");

test("S3-102: no test can leave a lease where the user's own are", () => {
  const state = stateDirectory(process.env, "/");
  if (!state.ok) throw new Error(state.message);

  for (const path of [leaseDirectory(state.path), bakedDirectory(state.path)]) {
    expect(isWithin(tmpdir(), path)).toBe(true);
    // The home that a run of the tests makes for itself.
    expect(path).toContain("veriroute-test-");
  }
});
