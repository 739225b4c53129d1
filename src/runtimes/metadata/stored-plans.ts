/**
 * What has come up from here, a file for each model: with which facts, and on what. The Hub may be out of
 * reach, or have another revision by now; a start that is repeated then need not be planned on guesses.
 */
import { readFile } from "node:fs/promises";
import { join } from "node:path";

import { type Static, Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";

import type { Plan } from "../../sizing/fit.ts";
import { SKUS } from "../../sizing/gpus.ts";
import type { ModelFacts } from "../../sizing/model-facts.ts";
import { choices, instant, nullable, text } from "../lease-kinds.ts";
import { replaceFile } from "../leases/durable-file.ts";

const count = Type.Number({ minimum: 0 });

const Facts = Type.Object({
  repo: text,
  revision: text,
  tensors: nullable(Type.Record(text, count)),
  file_bytes: nullable(count),
  params: nullable(count),
  gguf: Type.Array(Type.Object({ variant: text, bytes: count })),
  quant_method: nullable(text),
  architecture: Type.Object({
    model_types: Type.Array(text),
    layers: nullable(count),
    hidden: nullable(count),
    heads: nullable(count),
    kv_heads: nullable(count),
    head_dim: nullable(count),
    vocab: nullable(count),
    tied: nullable(Type.Boolean()),
    max_context: nullable(count),
    local: nullable(Type.Object({ layers: count, window: count })),
    latent: nullable(Type.Object({ kv_lora_rank: count, qk_rope_head_dim: count })),
  }),
  gated: Type.Boolean(),
  remote_code: Type.Boolean(),
});

const StoredPlan = Type.Object({
  revision: text,
  sku: choices(SKUS),
  quant: nullable(text),
  context: Type.Integer({ minimum: 1 }),
  concurrency: nullable(Type.Integer({ minimum: 1 })),
  /** When it was ready, epoch ms. */
  at: instant,
  /** From its being asked for. */
  took_ms: instant,
});
/** A plan that has come up. */
export type StoredPlan = Static<typeof StoredPlan>;

const StoredModel = Type.Object({
  schema: Type.Literal(1),
  /** Those of the last start. */
  facts: Facts,
  /** Newest first. */
  plans: Type.Array(StoredPlan, { minItems: 1 }),
});

export interface StoredModel {
  readonly facts: ModelFacts;
  readonly plans: readonly StoredPlan[];
}

export interface StoredPlans {
  /** Null where nothing is kept of a repository, or nothing that can be read. Never rejects. */
  readonly read: (repo: string) => Promise<StoredModel | null>;
  /** Keeps what came up. Throws what the file system throws. */
  readonly keep: (facts: ModelFacts, plan: Omit<StoredPlan, "revision">) => Promise<void>;
}

/** Of each model. */
const MAX_PLANS = 20;

export function openStoredPlans(directory: string): StoredPlans {
  const path = (repo: string) => join(directory, `${encodeURIComponent(repo)}.json`);

  async function read(repo: string): Promise<StoredModel | null> {
    try {
      const stored: unknown = JSON.parse(await readFile(path(repo), "utf8"));
      if (!Value.Check(StoredModel, stored) || stored.facts.repo !== repo) return null;
      return { facts: { ...stored.facts, notes: [] }, plans: stored.plans };
    } catch {
      return null;
    }
  }

  return {
    read,
    async keep(facts, plan) {
      // Without a revision it is not what the Hub says, and may not be taken for that later.
      if (facts.revision === null) return;
      const { notes: _notes, ...kept } = facts;
      const next = { ...plan, revision: facts.revision };
      const before = (await read(facts.repo))?.plans ?? [];
      const plans = [next, ...before.filter((one) => !isSamePlan(one, next))].slice(0, MAX_PLANS);
      const stored = { schema: 1, facts: kept, plans };
      await replaceFile(path(facts.repo), `${JSON.stringify(stored, null, 2)}\n`);
    },
  };
}

type PlanKey = Pick<StoredPlan, "sku" | "quant" | "context" | "concurrency" | "revision">;

function isSamePlan(a: PlanKey, b: PlanKey): boolean {
  return (
    a.revision === b.revision &&
    a.sku === b.sku &&
    a.quant === b.quant &&
    a.context === b.context &&
    a.concurrency === b.concurrency
  );
}

/** Whether and when this very plan has come up. */
export function storedPlan(
  plans: readonly StoredPlan[],
  { revision }: Pick<ModelFacts, "revision">,
  plan: Pick<Plan, "sku" | "quant" | "context" | "concurrency">,
): StoredPlan | null {
  if (revision === null) return null;
  return plans.find((stored) => isSamePlan(stored, { ...plan, revision })) ?? null;
}
