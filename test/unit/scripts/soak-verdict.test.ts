import { expect, test } from "bun:test";

import { judgeSoak, type Sample } from "../../../scripts/bench/soak/verdict.ts";

/** A run of 100 samples, 10,000 requests apart, with a wave of 2 MB in memory as collections make it. */
function run(change: (sample: Sample, n: number) => Partial<Sample>): Sample[] {
  return Array.from({ length: 100 }, (_, n) => {
    const sample = {
      at_s: n,
      requests: n * 10_000,
      rss_mb: 120 + (n % 5) * 0.5,
      descriptors: 40 + (n % 3),
      database_mb: n,
      per_second: 10_000,
      p50_ms: 1 + (n % 4) * 0.01,
      p99_ms: 3 + (n % 7) * 0.1,
    };
    return { ...sample, ...change(sample, n) };
  });
}

const after = { rss_after_mb: 121, descriptors_after: 20, failed: 0, dropped_rows: 0 };

test.each<{ what: string; samples: Sample[]; changed?: object; broken: string[] }>([
  { what: "nothing drifts", samples: run(() => ({})), broken: [] },
  {
    what: "memory grows until the heap has found its size",
    samples: run((_, n) => ({ rss_mb: Math.min(150, 60 + n * 3) })),
    broken: [],
  },
  {
    what: "memory grows without end, however slowly",
    samples: run(({ rss_mb }, n) => ({ rss_mb: rss_mb + n * 0.2 })),
    broken: ["memory, slope"],
  },
  {
    what: "memory falls",
    samples: run(({ rss_mb }, n) => ({ rss_mb: rss_mb - n * 0.2 })),
    broken: [],
  },
  {
    what: "descriptors leak",
    samples: run(({ descriptors }, n) => ({ descriptors: descriptors + n })),
    changed: { descriptors_after: 120 },
    broken: ["descriptors, slope", "descriptors"],
  },
  {
    what: "the tail gets longer",
    samples: run(({ p99_ms }, n) => ({ p99_ms: p99_ms * (1 + n / 50) })),
    broken: ["latency, p99"],
  },
  {
    what: "answers fail and rows are lost",
    samples: run(() => ({})),
    changed: { failed: 1, dropped_rows: 1 },
    broken: ["answers", "rows"],
  },
  {
    what: "memory is not given back",
    samples: run(() => ({})),
    changed: { rss_after_mb: 181 },
    broken: ["memory"],
  },
  {
    what: "the router has lost count of its rows",
    samples: run(() => ({})),
    changed: { dropped_rows: Number.NaN },
    broken: ["rows"],
  },
])("a soak is judged where $what", ({ samples, changed, broken }) => {
  const findings = judgeSoak({ samples, ...after, ...changed });
  expect(findings.filter(({ ok }) => !ok).map(({ what }) => what)).toEqual(broken);
});

test("a few samples show no trend", () => {
  const samples = run((_, n) => ({ rss_mb: 60 + n * 10 })).slice(0, 10);
  const findings = judgeSoak({ samples, ...after });
  expect(findings.find(({ what }) => what === "memory, slope")).toEqual({
    what: "memory, slope",
    text: "10 samples are too few to tell",
    ok: true,
  });
});
