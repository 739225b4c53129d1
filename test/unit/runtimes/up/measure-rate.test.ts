import { expect, test } from "bun:test";

import type { Faults } from "../../../support/fake-colab/faults.ts";
import { T4_PLAN } from "../../../support/lease.ts";
import { supervisedRig } from "../../../support/supervised-rig.ts";

const STALE = { cu_h: 1.96, as_of: "2025-01-01", source: "an old list" };
const NEW = { plan: T4_PLAN, served_model: "qwen", sku: "T4", rate: STALE } as const;

async function rateAfter(faults: Faults, others = 0) {
  using made = supervisedRig(faults);
  for (let n = 0; n < others; n++) await made.rig.driver.create({ name: `o${n}`, sku: "A100" });
  const { begin, bringUp, supervisor } = made.process();
  await begin("a", NEW);
  expect(await bringUp("a")).toEqual({ kind: "ready" });
  return supervisor.find("a")?.rate;
}

test("what Colab says that an hour costs takes the place of any list", async () => {
  expect(await rateAfter({})).toEqual({
    cu_h: 1.19,
    as_of: "2030-01-01",
    source: "`colab usage`",
  });
});

test.each<{ what: string; faults: Faults; others?: number }>([
  { what: "does not know the question", faults: { usage: "missing" } },
  { what: "cannot answer", faults: { usage: "fail" } },
  { what: "answers nonsense", faults: { usage: "garbage" } },
  { what: "adds up several machines", faults: {}, others: 1 },
  { what: "may still count one that is gone", faults: { usage: "lag" }, others: 1 },
])("where Colab $what, the rate stays, and the runtime comes all the same", async (row) => {
  expect(await rateAfter(row.faults, row.others)).toEqual(STALE);
});
