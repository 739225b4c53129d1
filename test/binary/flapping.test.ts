import { expect, test } from "bun:test";

import { startBinary } from "../support/binary.ts";
import { flappingFleet, MAX_ATTEMPTS, storm } from "../support/flapping.ts";
import { tempDir } from "../support/temp-dir.ts";

const REQUESTS = 1000;

/** Benches that end while the storm lasts, since nobody moves the clock of the binary. */
const SHORT =
  '[cooldowns]\nserver = "0s"\nnetwork = "0s"\n[breaker]\nbase = "100ms"\ncap = "200ms"\n';

test("a thousand requests at once through a flapping fleet are counted, settled and recorded, each once", async () => {
  using fleet = flappingFleet(20_261_130);
  using directory = tempDir();
  await Bun.write(directory.file("veriroute.toml"), fleet.config + SHORT);
  await using router = await startBinary(["--config", directory.file("veriroute.toml")], {
    env: {
      VERIROUTE_STATE_DIR: directory.file("state"),
      VERIROUTE_ROUTING_DISCOVER_LOCAL: "false",
    },
    cwd: directory.path,
  });

  const seen = await storm({ url: router.url, fleet, requests: REQUESTS });

  for (const { reported, counted } of seen.samples) expect(reported).toEqual(counted);
  expect(seen.left).toEqual([0, 0, 0, 0, 0]);
  expect(seen.decisions).toHaveLength(REQUESTS);
  expect(seen.decisions.filter(({ outcome }) => outcome === "in_progress")).toEqual([]);
  expect(seen.decisions.flatMap(({ attempts }) => attempts)).toHaveLength(seen.calls);
  expect(seen.calls).toBeGreaterThan(REQUESTS);
  expect(seen.calls).toBeLessThanOrEqual(REQUESTS * 2 * MAX_ATTEMPTS);
}, 60_000);
