import { type Static, Type } from "@sinclair/typebox";

import type { UpWish } from "../../runtimes/up/wish.ts";
import type { RuntimeView } from "../../runtimes/views.ts";
import { DEFAULT_CONTEXT } from "../../sizing/fit.ts";
import { readSku, SKUS } from "../../sizing/gpus.ts";
import { QUANT_WORDS, readQuant } from "../../sizing/quant.ts";
import type { Refusal } from "../refusal.ts";
import { closed } from "./list.ts";

export const UpRequest = Type.Object(
  {
    repo: Type.String({
      minLength: 1,
      maxLength: 200,
      description: "A repository of the Hugging Face Hub.",
    }),
    name: Type.Optional(
      Type.String({ maxLength: 100, description: "Default: follows from the repository." }),
    ),
    gpu: Type.Optional(
      Type.String({ description: `One of ${SKUS.join(", ")}. Default: the cheapest that fits.` }),
    ),
    quant: Type.Optional(
      Type.String({ description: `Weights, of ${QUANT_WORDS.join(", ")}. Default: as they are.` }),
    ),
    context: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 100_000_000,
        description: `Tokens of context, ${DEFAULT_CONTEXT} by default.`,
      }),
    ),
    concurrency: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 4096,
        description:
          "Requests of full context that are planned for, and that the server then takes at once. Default: planned for one.",
      }),
    ),
    confirmed: Type.Optional(
      Type.Boolean({ description: "Whether somebody said yes to the cost." }),
    ),
    without_watchdog: Type.Optional(
      Type.Boolean({ description: "Whether a machine that cannot release itself will do." }),
    ),
  },
  closed,
);

export const AdoptRequest = Type.Object(
  {
    endpoint: Type.String({
      pattern: "^[A-Za-z0-9][A-Za-z0-9._-]{0,199}$",
      description: "As `colab sessions` lists it.",
      expected: "it must be an endpoint as `colab sessions` lists it",
    }),
    name: Type.Optional(
      Type.String({ maxLength: 100, description: "Default: follows from the endpoint." }),
    ),
  },
  closed,
);

export const LogsQuery = Type.Object(
  {
    lines: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 500, description: "Of each log, 50 by default." }),
    ),
  },
  closed,
);

export const RuntimeLogs = Type.Object(
  { logs: Type.Record(Type.String(), Type.Array(Type.String())) },
  closed,
);

const text = Type.Union([Type.String(), Type.Null()]);
const instant = Type.Union([Type.Integer(), Type.Null()]);
const number = Type.Union([Type.Number(), Type.Null()]);

export const RuntimeItem = Type.Object(
  {
    name: Type.String(),
    phase: Type.String({
      description:
        "`starting`, `ready`, `degraded`, `stopping`, `detached` and `unreadable` may cost money; `planned`, `stopped` and `failed` do not.",
    }),
    target: Type.Union([Type.String(), Type.Null()], { description: "What requests may name." }),
    sku: text,
    endpoint: text,
    created_at: instant,
    idle_deadline: instant,
    hard_deadline: instant,
    cu_h: Type.Union([Type.Number(), Type.Null()], {
      description: "Compute units an hour; null where nobody knows.",
    }),
    compute_units: number,
    cost_usd: number,
    watched_by: Type.Union([Type.Integer(), Type.Null()], {
      description: "Pid of the process that keeps its deadlines.",
    }),
    watchdog_seen_at: instant,
    base_url: text,
    error: text,
    last_event: Type.Union([
      Type.Object({ at: Type.Integer(), what: Type.String() }, closed),
      Type.Null(),
    ]),
    notice: Type.Union([Type.String(), Type.Null()], {
      description: "`MAY STILL BE BILLING …` where nobody means to spend that money.",
    }),
    doubts: Type.Array(Type.String()),
  },
  closed,
);

export const RUNTIME_EXAMPLE: RuntimeView & Static<typeof RuntimeItem> = {
  name: "gpu",
  phase: "ready",
  target: "gpu:Qwen/Qwen2.5-7B-Instruct",
  sku: "L4",
  endpoint: "gpu-l4-s-kkb-usw1b1-36jsit0sm8axr",
  created_at: 1_764_460_800_000,
  idle_deadline: 1_764_467_100_000,
  hard_deadline: 1_764_475_200_000,
  cu_h: 1.71,
  compute_units: 1.71,
  cost_usd: 0.171,
  watched_by: 4242,
  watchdog_seen_at: 1_764_464_300_000,
  base_url: "http://127.0.0.1:40123/v1",
  error: null,
  last_event: { at: 1_764_461_700_000, what: "ready" },
  notice: null,
  doubts: [],
};

/** What a body asks for, or which of its words mean nothing. */
export function readWish(
  body: Static<typeof UpRequest>,
):
  | { readonly kind: "value"; readonly value: UpWish }
  | { readonly kind: "refused"; readonly refusal: Refusal } {
  const { name = null, context = DEFAULT_CONTEXT, concurrency = null } = body;
  const { confirmed = false, without_watchdog = false, repo } = body;
  const gpu = body.gpu === undefined ? null : readSku(body.gpu);
  if (gpu === undefined)
    return wrong("gpu", `it is no GPU that Colab rents; those are ${SKUS.join(", ")}`);
  const quant = body.quant === undefined ? null : readQuant(body.quant);
  if (quant !== null && "unknown" in quant) {
    return wrong("quant", `it is no quantization; known: ${QUANT_WORDS.join(", ")}`);
  }
  const asked = { context, concurrency, quant, gpu };
  return { kind: "value", value: { repo, name, ...asked, confirmed, without_watchdog } };
}

function wrong(param: "gpu" | "quant", why: string) {
  const message = `\`${param}\`: ${why}.`;
  return { kind: "refused", refusal: { code: "invalid_value", message, param } } as const;
}
