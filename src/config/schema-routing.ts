import { type Static, Type } from "@sinclair/typebox";

import type { StrategyName } from "../routing/strategies/strategy.ts";
import { closed, duration, durationOrOff, entry, list, optional, size } from "./schema-kinds.ts";
import { timeouts } from "./schema-providers.ts";

const strategies = [
  "priority",
  "round_robin",
  "weighted",
  "lowest_latency",
  "lowest_cost",
  "least_busy",
  "most_credits",
] as const satisfies readonly StrategyName[];
const strategyNames = () => strategies.map((name) => Type.Literal(name));

export const Pool = Type.Object(
  {
    strategy: optional(
      Type.Union(strategyNames(), {
        description: "How members are ordered. Default: `routing.default_strategy`.",
      }),
    ),
    affinity: Type.Union([Type.Literal("session"), Type.Literal("none")], {
      default: "session",
      description: "Whether a conversation stays with the member that answered it first.",
    }),
    targets: Type.Array(Type.String({ minLength: 1 }), {
      minItems: 1,
      description: "Members as spec strings, `provider:model?params#instance`.",
      examples: [["openrouter:z-ai/glm-5.3-flash", "nim:qwen3-30b?order=1"]],
    }),
  },
  entry,
);

export const Routing = Type.Object(
  {
    default_pool: optional(
      Type.String({
        minLength: 1,
        description: "Pool of requests that ask for `auto`.",
        writable: true,
        examples: ["main"],
      }),
    ),
    default_profile: optional(
      Type.String({
        minLength: 1,
        description:
          "Profile of every request that names none and whose key has none; its pool is what `auto` means.",
        writable: true,
        examples: ["frugal"],
      }),
    ),
    default_strategy: Type.Union(strategyNames(), {
      default: "priority",
      description: "Strategy of pools that name none.",
    }),
    autoprovision: optional(
      Type.Boolean({
        description:
          "Make instances from credentials in the environment. Default: true on loopback, else false.",
        examples: [true],
      }),
    ),
    discover_local: Type.Boolean({
      default: true,
      description: "Look for Ollama, LM Studio, llama.cpp and vLLM on their usual loopback ports.",
    }),
    max_attempts: Type.Integer({
      default: 3,
      minimum: 1,
      maximum: 20,
      description: "Distinct targets tried for one request.",
      writable: true,
    }),
    retries: Type.Integer({
      default: 1,
      minimum: 0,
      maximum: 1,
      description:
        "Further calls to the same target after a failure that may be a hiccup (overload, 5xx, network), before the next one.",
    }),
    on_refusal: Type.Union([Type.Literal("return"), Type.Literal("failover")], {
      default: "return",
      description:
        "A model's or vendor's refusal on grounds of content: hand it to the client, or ask the next target.",
      writable: true,
    }),
    ...timeouts,
    deadline: duration(
      "10m",
      "Limit to the first content of a stream, or to a whole non-streamed answer, all attempts together.",
    ),
    max_stream: durationOrOff("off", "Longest a stream may last after its first content."),
    max_frame: size("64MiB", "Largest single event of an upstream stream."),
    max_answer: size("256MiB", "Largest non-streamed answer of an upstream, after decompression."),
  },
  { ...closed, description: "How a request finds its target, and how long it may take." },
);
export type Routing = Static<typeof Routing>;

const ParamValue = Type.Union(
  [Type.String(), Type.Number(), Type.Boolean(), Type.Array(Type.String())],
  { format_hint: "text, number, true, false or list of texts" },
);

export const Profile = Type.Object(
  {
    pool: optional(
      Type.String({
        minLength: 1,
        description: "Pool that `auto` means. Default: `routing.default_pool`.",
        examples: ["main"],
      }),
    ),
    params: Type.Record(Type.String({ pattern: "^[A-Za-z][A-Za-z0-9_.-]{0,63}$" }), ParamValue, {
      default: {},
      description:
        "Request fields for where the client sets none; they beat the parameters of a target's spec.",
      format_hint: "table of values",
      examples: [{ effort: "low", temperature: 0.2 }],
    }),
    allow: Type.Object(
      {
        max_price: optional(
          Type.Number({
            minimum: 0,
            maximum: 1_000_000,
            description:
              "Highest price in USD per million tokens, of input and of output. A target without a known price is left out too.",
            examples: [1.5],
          }),
        ),
        providers: optional(
          Type.Array(Type.String({ minLength: 1 }), {
            description: "Instances or provider types that may serve. Default: all.",
            examples: [["openrouter"]],
          }),
        ),
      },
      { ...closed, default: {} },
    ),
    verify: Type.Union([Type.Literal("rescue"), Type.Literal("observe"), Type.Literal("off")], {
      default: "rescue",
      description:
        "What follows from a bad answer that the client has not seen: another target answers (`rescue`), it is recorded and counted (`observe`), or nobody looks (`off`).",
    }),
    hold_back: Type.Boolean({
      default: false,
      description:
        "Always wait for the first 64 characters of a stream, 300 ms at most, before the client sees it; else only while its target is under suspicion.",
    }),
  },
  entry,
);
export type Profile = Static<typeof Profile>;

export const AllowlistSection = Type.Object(
  {
    enabled: optional(
      Type.Boolean({
        description:
          "Whether only listed models may serve. Default: true as soon as one is listed, here or through the API.",
        examples: [true],
      }),
    ),
    targets: list(
      "Models that may serve, as `provider:model`; the provider is an instance or a type, and a model may end in `*`.",
      "openrouter:z-ai/*",
    ),
  },
  { ...closed, description: "Which models of which providers may serve at all." },
);
