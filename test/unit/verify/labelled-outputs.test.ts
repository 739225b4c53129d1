import { expect, test } from "bun:test";

import { verifyOutput } from "../../../src/verify/inspect-output.ts";
import { LABELLED_OUTPUTS, LOOK_ALIKES } from "../../support/labelled-outputs.ts";

test.each(LABELLED_OUTPUTS)(
  "$id is judged $expected.verdict, $expected.signature",
  ({ id, line, expected }) => {
    const judged = { detail: undefined, ...verifyOutput(line) };

    expect(judged).toEqual({ id, ...expected, detail: judged.detail });
  },
);

test("the labelled outputs are all there", () => {
  expect(LABELLED_OUTPUTS).toHaveLength(208);
});

test.each(LOOK_ALIKES)("$id shows $signature", ({ line, signature }) => {
  expect(verifyOutput(line)).toMatchObject({ signature });
});
