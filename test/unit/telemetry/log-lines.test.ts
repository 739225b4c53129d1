import { expect, test } from "bun:test";

import { createLogLines } from "../../../src/telemetry/log-lines.ts";

const MEBIBYTE = 1024 ** 2;

test.each([
  { how: "at once", later: false },
  { how: "later", later: true },
])(
  "of lines made $how 8 MiB are kept, those taken included until they are written",
  ({ later }) => {
    const lines = createLogLines();
    const add = (count: number) => {
      for (let n = 0; n < count; n++) {
        const line = "x".repeat(MEBIBYTE);
        if (later) lines.addLater(() => line);
        else lines.add(line);
      }
    };

    add(5);
    const first = lines.take();
    add(5);
    lines.taken();
    const second = lines.take();

    expect([first.length, second.length]).toEqual([5 * MEBIBYTE, (later ? 5 : 3) * MEBIBYTE]);
  },
);

test("lines that are made later are made once there are 256 of them, whoever reads", () => {
  const lines = createLogLines();
  let made = 0;
  const make = () => `${(made += 1)}\n`;

  for (let n = 0; n < 300; n++) lines.addLater(make);

  expect(made).toBe(256);
  expect(lines.take().split("\n")).toHaveLength(301);
});

test("nothing is kept, and nothing made, for a reader that is gone", () => {
  const lines = createLogLines();
  lines.addLater(() => "before\n");
  lines.stop();
  lines.add("after\n");
  lines.addLater(() => "later\n");

  expect(lines.take()).toBe("");
});
