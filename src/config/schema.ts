import { type Static, type TSchema, Type } from "@sinclair/typebox";

import { DURATION_PATTERN } from "../lib/durations.ts";
import type { StrategyName } from "../routing/strategies/strategy.ts";
import { CanarySection } from "./schema-canary.ts";
import { BalancesSection, CatalogSection } from "./schema-catalog.ts";
import { BreakerSection, CooldownsSection } from "./schema-health.ts";
import {
  closed,
  duration,
  durationOrOff,
  entry,
  list,
  optional,
  secret,
  size,
} from "./schema-kinds.ts";
import { LogSection, StoreSection } from "./schema-records.ts";
import { RuntimesSection } from "./schema-runtimes.ts";
import { Notification, VerifierSection } from "./schema-verifier.ts";

export const Server = Type.Object(
  {
    host: Type.String({
      default: "127.0.0.1",
      minLength: 1,
      description: "Address to bind. Anything but loopback needs a client key and an admin key.",
    }),
    port: Type.Integer({
      default: 8484,
      minimum: 0,
      maximum: 65_535,
      description: "Port to bind; 0 takes a free one.",
    }),
    max_body: size("32MiB", "Largest request body, after decompression. Above it: 413."),
    upload_timeout: duration(
      "30s",
      "Silence after which a client that has not sent all of its body is given up: 408. A body of at most 64 KiB has twice that in all.",
    ),
    max_in_flight: Type.Integer({
      default: 4096,
      minimum: 1,
      maximum: 65_000,
      description: "Client requests open at once. Above it: 503 `router_busy`.",
    }),
    keepalive_after: durationOrOff(
      "15s",
      "Silence after which a stream's headers go out, followed by a comment at the same interval.",
    ),
    drain: duration("8s", "How long open requests may finish after SIGTERM.", { zero: true }),
    allowed_hosts: list(
      "Host names besides loopback that requests may be addressed to.",
      "router.lan",
    ),
    cors_origins: list("Exact origins that browsers may call from.", "https://chat.example.org"),
    client_key: secret("Key that clients must present.", "${ROUTER_CLIENT_KEY}"),
    admin_key: secret(
      "Key for the admin API, metrics and docs page.",
      "file:/run/secrets/router_admin_key",
    ),
  },
  { ...closed, description: "The listener, and who may talk to it." },
);
export type Server = Static<typeof Server>;

/** Timeouts that an instance may set for itself; all default to the value in `[routing]`. */
const timeouts = {
  connect_timeout: duration("5s", "Limit for the TCP connection to a host not used lately."),
  first_byte_timeout: duration("120s", "Limit for the response headers of an attempt."),
  first_token_timeout: duration("180s", "Limit for the first content of a stream."),
  response_timeout: duration("5m", "Limit for a whole non-streamed attempt."),
  idle_timeout: duration(
    "120s",
    "Silence after the first content that ends a stream; comments count as activity.",
  ),
};

const ownTimeout = (key: keyof typeof timeouts) =>
  Type.Optional(
    Type.String({
      pattern: DURATION_PATTERN,
      description: `${timeouts[key].description} Default: \`routing.${key}\`.`,
      format_hint: "duration",
      examples: [timeouts[key].default],
    }),
  );

export const Provider = Type.Object(
  {
    type: optional(
      Type.String({
        description: "A provider type, or `openai-compatible`. Default: the section's name.",
        examples: ["openai-compatible"],
      }),
    ),
    base_url: optional(
      Type.String({
        description: "Root of the API, ending before `/chat/completions`.",
        expands: "variables",
        examples: ["http://127.0.0.1:8000/v1"],
      }),
    ),
    api_key: secret("Credential. Default: the provider type's environment variable.", "${NIM_KEY}"),
    local: Type.Boolean({
      default: false,
      description:
        "This site's own server: costs nothing, needs no key, and is reached without a proxy. It does not keep prompts on this site.",
    }),
    models: optional(
      Type.Array(Type.String({ minLength: 1 }), {
        description: "Models served. Default: what the upstream lists.",
        examples: [["qwen3-30b"]],
      }),
    ),
    default_model: optional(
      Type.String({
        minLength: 1,
        description: "Model of a spec that names none.",
        examples: ["qwen3-30b"],
      }),
    ),
    inline_reasoning: Type.Boolean({
      default: false,
      description:
        "Its models write their reasoning into the text, between `<think>` tags: these are then no fault.",
    }),
    headers: Type.Record(Type.String(), Type.String({ secret: true, expands: "file" }), {
      default: {},
      description: "Further headers of every request to this instance; values are secret.",
      examples: [{ "x-team": "research" }],
    }),
    connect_timeout: ownTimeout("connect_timeout"),
    first_byte_timeout: ownTimeout("first_byte_timeout"),
    first_token_timeout: ownTimeout("first_token_timeout"),
    response_timeout: ownTimeout("response_timeout"),
    idle_timeout: ownTimeout("idle_timeout"),
  },
  entry,
);
export type Provider = Static<typeof Provider>;

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

const Pool = Type.Object(
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

const AllowlistSection = Type.Object(
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

const INSTANCE_NAME = "^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$";
const named = <T extends TSchema>(schema: T, description: string, pattern = INSTANCE_NAME) =>
  Type.Record(Type.String({ pattern }), schema, { default: {}, description });

/** The config file, one to one. Types, validation and docs/configuration.md come from here. */
export const Config = Type.Object(
  {
    server: Server,
    providers: named(Provider, "Instances: configured providers, by the name spec strings use."),
    pools: named(Pool, "Interchangeable targets, by the name clients ask for as `pool:name`."),
    aliases: Type.Record(Type.String(), Type.String({ minLength: 1 }), {
      default: {},
      description: "Exact names or `prefix*`, each standing for a pool, a spec or a model name.",
      examples: [{ "claude-haiku-*": "pool:main" }],
    }),
    profiles: named(
      Profile,
      "Bundles of preferences, by the name that a client asks for as `profile:name`, or that a key has.",
    ),
    allowlist: AllowlistSection,
    routing: Routing,
    breaker: BreakerSection,
    cooldowns: CooldownsSection,
    exclusions: Type.Record(Type.String(), Type.String({ minLength: 1 }), {
      default: {},
      description:
        "Instances and targets never to be used, each with the reason that `explain` shows. Exclusions for a time are made with `POST /admin/v1/exclusions`.",
      examples: [
        {
          nim: "is being rebuilt",
          "openrouter:z-ai/glm-5.3-flash": "answers in the wrong language",
        },
      ],
    }),
    verifier: VerifierSection,
    canary: CanarySection,
    notifications: named(
      Notification,
      "Who is told when something is benched, comes back, or goes wrong in other ways. The log is told always.",
    ),
    catalog: CatalogSection,
    balances: BalancesSection,
    runtimes: RuntimesSection,
    store: StoreSection,
    log: LogSection,
  },
  closed,
);
export type Config = Static<typeof Config>;
