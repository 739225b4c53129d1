import { expect, test } from "bun:test";

import { faultOf } from "../../../src/telemetry/fault.ts";

test("a fault is told by class and place, never by its message", () => {
  const told = faultOf(new RangeError("the user's\n    at prompt"));

  expect(told.error).toBe("RangeError");
  expect(told.stack[0]).toMatch(/^at .*fault\.test\.ts/);
  expect(JSON.stringify(told)).not.toContain("prompt");
});

test("something thrown that is no error is told by its type", () => {
  expect(faultOf("the user's prompt")).toEqual({ error: "string", stack: [] });
});
