import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";

import { BINARY } from "../servers.ts";

export const SECTIONS = ["throughput", "latency", "streams", "start", "memory"] as const;

export type Section = (typeof SECTIONS)[number];

export interface Settings {
  readonly sections: ReadonlySet<Section>;
  readonly rounds: number;
  /** Of each measurement of throughput. */
  readonly seconds: number;
  /** Requests each way in a round of latency. */
  readonly pairs: number;
  /** Seconds of load before memory is read. */
  readonly sustain: number;
  /** Seconds of rest before memory is read. */
  readonly rest: number;
  /** Seconds that waiting for a quiet machine and measuring again may take, all together. */
  readonly patience: number;
  readonly binary: string;
  readonly scratch: string;
  readonly json: string;
  /** Whether variants are built that lack the store, and the metrics. */
  readonly variants: boolean;
  readonly profile: boolean;
}

/** Throws with a sentence where an option makes no sense. */
export function readSettings(): Settings {
  const scratch = join(tmpdir(), "veriroute-bench-pieces");
  const { values } = parseArgs({
    options: {
      quick: { type: "boolean", default: false },
      only: { type: "string", default: SECTIONS.join(",") },
      rounds: { type: "string" },
      seconds: { type: "string" },
      pairs: { type: "string" },
      sustain: { type: "string" },
      rest: { type: "string" },
      patience: { type: "string" },
      binary: { type: "string", default: BINARY },
      scratch: { type: "string", default: scratch },
      json: { type: "string", default: join(scratch, "compare.json") },
      "no-variants": { type: "boolean", default: false },
      profile: { type: "boolean", default: false },
    },
  });
  const numberOf = (name: "rounds" | "seconds" | "pairs" | "sustain" | "rest" | "patience") =>
    positive(name, values[name] ?? String((values.quick ? QUICK : FULL)[name]));
  return {
    sections: new Set(values.only.split(",").map(toSection)),
    rounds: numberOf("rounds"),
    seconds: numberOf("seconds"),
    pairs: numberOf("pairs"),
    sustain: numberOf("sustain"),
    rest: numberOf("rest"),
    patience: numberOf("patience"),
    binary: values.binary,
    scratch: values.scratch,
    json: values.json,
    variants: !values["no-variants"] && !values.quick,
    profile: values.profile,
  };
}

const FULL = { rounds: 7, seconds: 3, pairs: 1000, sustain: 300, rest: 10, patience: 1800 };
/** Shows that everything works, and proves nothing. */
const QUICK = { rounds: 1, seconds: 1, pairs: 100, sustain: 3, rest: 1, patience: 5 };

function positive(name: string, text: string): number {
  const number = Number(text);
  if (Number.isInteger(number) && number >= 0) return number;
  throw new Error(`--${name} is a whole number, not ${text}`);
}

function toSection(text: string): Section {
  const section = SECTIONS.find((name) => name === text);
  if (section === undefined) {
    throw new Error(`--only takes names of ${SECTIONS.join(", ")}, not ${text}`);
  }
  return section;
}
