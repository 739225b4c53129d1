import { expect, test } from "bun:test";

import { describeStray } from "../../../src/cli/server/stray-errors.ts";

test("a stray error is told by class and place, never by its message", () => {
  const told = describeStray(new TypeError("the user's\n    at prompt"));

  expect(told).toMatch(/^bug: a stray TypeError at .*stray-errors\.test\.ts.*; please report it$/);
  expect(told).not.toContain("prompt");
});

test.each(["text", 1, undefined, null])("a stray %p is no reason to fail", (thrown) => {
  expect(describeStray(thrown)).toStartWith("bug: a stray ");
});

test("the process goes on after a rejection that nobody waited for", async () => {
  const source = `
    import { surviveStrayErrors } from "${import.meta.dir}/../../../src/cli/server/stray-errors.ts";
    surviveStrayErrors({ complain: (text) => console.log(text) });
    void Promise.reject(new RangeError("x"));
    setTimeout(() => console.log("alive"), 20);
  `;
  const child = Bun.spawn([process.execPath, "-e", source], {
    env: {},
    stdout: "pipe",
    stderr: "pipe",
  });

  const [out, code] = await Promise.all([child.stdout.text(), child.exited]);

  expect(code).toBe(0);
  expect(out).toMatch(/^bug: a stray RangeError .*\nalive\n$/);
});
