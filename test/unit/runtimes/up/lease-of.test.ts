import { expect, test } from "bun:test";

import { startTime } from "../../../../src/runtimes/policy/steady-time.ts";
import { rentalLease } from "../../../../src/runtimes/up/lease-of.ts";
import { type GgufFile, unknownModel } from "../../../../src/sizing/model-facts.ts";
import { BOOT, BOOTTIME, CREATED, HOUR, MINUTE } from "../../../support/lease.ts";
import { fitOf, knownModel, quantOf, QWEN_7B } from "../../sizing/models.ts";

const ABOUT = {
  name: "a",
  owner: { pid: 1, boot_id: BOOT, started_at: CREATED, host: "home", version: "1.0.0" },
  lease_id: "lease-1",
  time: startTime({ now: CREATED, elapsed: 0, boottime: BOOTTIME }),
  settings: { max_idle_ms: 45 * MINUTE, max_life_ms: 4 * HOUR, max_compute_units: null },
};

test.each<{ what: string; gguf: readonly GgufFile[]; word: string | null; quant: string | null }>([
  {
    what: "the only file of a repository, though nobody named it",
    gguf: [{ variant: "q4_0", bytes: 4e9 }],
    word: null,
    quant: "q4_0",
  },
  {
    what: "the file that was named",
    gguf: [
      { variant: "q4_0", bytes: 4e9 },
      { variant: "q8_0", bytes: 8e9 },
    ],
    word: "q8_0",
    quant: "q8_0",
  },
  { what: "weights as they are", gguf: [], word: null, quant: null },
])("a lease says which weights are served: $what", ({ gguf, word, quant }) => {
  const facts = gguf.length > 0 ? { ...unknownModel("org/thing-7B"), gguf } : knownModel(QWEN_7B);
  const { plan, notes } = fitOf(facts, { quant: quantOf(word), context: 4096, concurrency: 1 });
  if (plan === null) throw new Error("it does not fit");

  const { spec } = rentalLease(ABOUT, { facts, plan, notes, sessions_before: [], account: null });

  expect(spec).toEqual({ repo: facts.repo, revision: null, ctx: 4096, quant, concurrency: 1 });
});
