import { expect, test } from "bun:test";

import { flappingFleet, MAX_ATTEMPTS, storm } from "../support/flapping.ts";
import { movedClock } from "../support/moved-clock.ts";
import { startRouter } from "../support/router.ts";

/** All at once in one process; test/binary has a thousand. `bun test` makes 256 calls at most. */
const REQUESTS = 200;

test.each([{ seed: 1 }, { seed: 2 }, { seed: 3 }])(
  "a storm through a flapping fleet is counted, settled and recorded, each request once (seed $seed)",
  async ({ seed }) => {
    const clock = movedClock();
    using fleet = flappingFleet(seed);
    await using router = await startRouter({ config: fleet.config, clock });

    const seen = await storm({
      url: router.url,
      fleet,
      requests: REQUESTS,
      between: () => clock.move(3000),
    });

    for (const { reported, counted } of seen.samples) expect(reported).toEqual(counted);
    expect(seen.left).toEqual([0, 0, 0, 0, 0]);
    expect(seen.decisions).toHaveLength(REQUESTS);
    expect(seen.decisions.filter(({ outcome }) => outcome === "in_progress")).toEqual([]);
    expect(seen.decisions.flatMap(({ attempts }) => attempts)).toHaveLength(seen.calls);
    const tried = seen.decisions.map(
      ({ attempts }) => new Set(attempts.map(({ target }) => target)).size,
    );
    expect(Math.max(...tried)).toBe(MAX_ATTEMPTS);
    expect(seen.calls).toBeLessThanOrEqual(REQUESTS * 2 * MAX_ATTEMPTS);
  },
  30_000,
);
