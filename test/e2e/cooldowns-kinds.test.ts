import { describe, expect, test } from "bun:test";

import { fine, startFleet } from "../support/behaving-fleet.ts";
import { FAILURES } from "../support/failure-rows.ts";

const cases = FAILURES.flatMap((row) => [
  { ...row, stream: false },
  { ...row, stream: true },
]);

describe.each(cases)(
  "$kind, told by $told, stream: $stream",
  ({ kind, behaviour, stream, ...row }) => {
    test("is called, moved and benched as its kind says", async () => {
      await using fleet = await startFleet({ a: behaviour, b: fine });

      const told = await fleet.ask({ stream });

      expect(fleet.calls("a")).toBe(row.calls);
      expect(fleet.calls("b")).toBe(row.moves ? 1 : 0);
      expect(told.attempts).toEqual([
        ...Array.from({ length: row.calls }, () => `a:m ${kind}`),
        ...(row.moves ? ["b:m ok"] : []),
      ]);
      expect((await fleet.reasons("a:m")).map(({ code }) => code)).toEqual(
        row.bench === null ? [] : [row.bench.code],
      );
    });

    test("ends as its kind says when nobody else is left", async () => {
      await using fleet = await startFleet({ a: behaviour });

      const { status, code, retry_after, should_retry } = await fleet.ask({ stream });

      expect({ status, code, retry_after, should_retry }).toEqual(row.alone);
      expect(fleet.calls("a")).toBe(row.calls);
    });
  },
);

const timed = cases.flatMap(({ kind, behaviour, stream, bench }) => {
  const ms = bench?.ms ?? null;
  return ms === null ? [] : [{ kind, behaviour, stream, ms }];
});

test.each(timed)(
  "$kind is over after $ms ms, not before, stream: $stream",
  async ({ behaviour, stream, ms }) => {
    await using fleet = await startFleet({ a: behaviour, b: fine });
    await fleet.ask({ stream });
    fleet.set("a", fine);

    fleet.clock.move(ms - 1);
    expect((await fleet.ask({ stream })).target).toBe("b:m");
    fleet.clock.move(1);

    expect((await fleet.ask({ stream })).target).toBe("a:m");
  },
);
