import { median, slope } from "../rig/numbers.ts";

/** What was read at one moment of a soak. */
export interface Sample {
  /** Seconds since the load began. */
  readonly at_s: number;
  readonly requests: number;
  readonly rss_mb: number;
  readonly descriptors: number;
  readonly database_mb: number;
  readonly per_second: number;
  /** Of whole answers since the sample before. */
  readonly p50_ms: number;
  readonly p99_ms: number;
}

export interface Finding {
  readonly what: string;
  readonly text: string;
  readonly ok: boolean;
}

/** MB and descriptors by which the second half may drift without it being growth. */
const RSS_DRIFT = 5;
const DESCRIPTOR_DRIFT = 5;
const RSS_LIMIT = 180;
/** The last quarter beside the second one. */
const SLOWER = 1.3;
/** Fewer say nothing about a trend. */
const MIN_SAMPLES = 20;

interface After {
  readonly samples: readonly Sample[];
  /** Once the load was over and the router had rested. */
  readonly rss_after_mb: number;
  readonly descriptors_after: number;
  readonly failed: number;
  readonly dropped_rows: number;
}

/** Judges the second half, since in the first the heap finds its size and caches fill. */
export function judgeSoak({ samples, ...after }: After): Finding[] {
  const { rss_after_mb, descriptors_after, failed, dropped_rows } = after;
  const peak = Math.max(...samples.map(({ rss_mb }) => rss_mb));
  return [
    { what: "answers", text: `${failed} not 200`, ok: failed === 0 },
    { what: "rows", text: `${dropped_rows} never reached the database`, ok: dropped_rows === 0 },
    {
      what: "memory",
      text: `at most ${peak.toFixed(0)} MB, ${rss_after_mb.toFixed(0)} MB after; ${RSS_LIMIT} MB wanted`,
      ok: rss_after_mb <= RSS_LIMIT,
    },
    growth("memory", samples, { of: ({ rss_mb }) => rss_mb, drift: RSS_DRIFT, unit: "MB" }),
    growth("descriptors", samples, {
      of: ({ descriptors }) => descriptors,
      drift: DESCRIPTOR_DRIFT,
      unit: "descriptors",
    }),
    {
      what: "descriptors",
      text: `${descriptors_after} open after, ${samples[0]?.descriptors ?? 0} at the start`,
      ok: descriptors_after <= (samples[0]?.descriptors ?? 0) + DESCRIPTOR_DRIFT,
    },
    slowing("median", samples, ({ p50_ms }) => p50_ms),
    slowing("p99", samples, ({ p99_ms }) => p99_ms),
  ];
}

interface Growth {
  readonly of: (sample: Sample) => number;
  readonly drift: number;
  readonly unit: string;
}

/** Growth is a slope that is surely above nothing and that comes to more than a drift over the half. */
function growth(what: string, samples: readonly Sample[], { of, drift, unit }: Growth): Finding {
  const half = samples.slice(Math.floor(samples.length / 2));
  if (samples.length < MIN_SAMPLES) return tooFew(`${what}, slope`, samples);
  const { value, error } = slope(half.map((sample) => [sample.requests, of(sample)] as const));
  const span = (half.at(-1)?.requests ?? 0) - (half[0]?.requests ?? 0);
  const least = (value - 2 * error) * span;
  const per100k = value * 100_000;
  const text =
    `${signed(per100k)} ${unit} per 100,000 requests (±${(2 * error * 100_000).toFixed(2)}), ` +
    `surely at least ${signed(least)} over the second half`;
  return { what: `${what}, slope`, text, ok: least <= drift };
}

function slowing(
  name: string,
  samples: readonly Sample[],
  of: (sample: Sample) => number,
): Finding {
  const what = `latency, ${name}`;
  if (samples.length < MIN_SAMPLES) return tooFew(what, samples);
  const quarter = Math.floor(samples.length / 4);
  const early = median(samples.slice(quarter, 2 * quarter).map(of));
  const late = median(samples.slice(-quarter).map(of));
  const text = `${(late / early).toFixed(2)} of the second quarter's in the last one`;
  return { what, text, ok: late <= early * SLOWER };
}

const tooFew = (what: string, samples: readonly Sample[]): Finding => ({
  what,
  text: `${samples.length} samples are too few to tell`,
  ok: true,
});

const signed = (value: number) => `${value < 0 ? "" : "+"}${value.toFixed(2)}`;
