import { type Static, Type } from "@sinclair/typebox";

import { closed, duration, optional, secret } from "./schema-kinds.ts";

const rate = (sku: string) =>
  optional(
    Type.Number({
      minimum: 0,
      maximum: 1000,
      description: `What an hour of the GPU ${sku} costs, in compute units. Default: a published figure with its date.`,
    }),
  );

const Rates = Type.Object(
  {
    T4: rate("T4"),
    L4: rate("L4"),
    A100: rate("A100"),
    G4: rate("G4"),
    H100: rate("H100"),
    CPU: optional(
      Type.Number({
        minimum: 0,
        maximum: 1000,
        description:
          "What an hour of a machine without GPU costs, in compute units; `bake` rents one. Default: not known.",
      }),
    ),
  },
  { ...closed, default: {} },
);

const Colab = Type.Object(
  {
    command: Type.String({
      default: "colab",
      minLength: 1,
      description: "The official `colab` program: a name on the path, or an absolute path.",
    }),
    auth: Type.Union([Type.Literal("oauth2"), Type.Literal("adc")], {
      default: "oauth2",
      description: "How it logs in to Google: its own login, or application default credentials.",
    }),
  },
  { ...closed, default: {} },
);

export const RuntimesSection = Type.Object(
  {
    enabled: Type.Boolean({
      default: false,
      description:
        "Whether GPUs may be rented. `estimate`, `status` and `down` work without; a start never rents anything.",
    }),
    names: Type.Array(
      Type.String({ pattern: "^[a-z0-9][a-z0-9-]{0,38}$", format_hint: "a-z, 0-9 and `-`" }),
      {
        default: [],
        description:
          "Names of runtimes that pools and aliases may refer to while no such runtime runs.",
        examples: [["gpu"]],
      },
    ),
    max_idle: duration("45m", "Time without a request after which a runtime is released."),
    max_life: duration(
      "4h",
      "Time from its creation after which a runtime is released, whatever it does. Fixed when it is created.",
    ),
    max_compute_units: optional(
      Type.Number({
        minimum: 0.1,
        maximum: 100_000,
        description:
          "Estimated compute units after which a runtime is released. Default: no limit.",
        examples: [20],
      }),
    ),
    on_exit: Type.Union([Type.Literal("detach"), Type.Literal("release")], {
      default: "detach",
      description:
        "What a stop does with runtimes: leave those whose watchdog was seen alive to it and release the others, or release all.",
    }),
    liveness: duration(
      "60s",
      "How often a runtime is asked for its models. At 0 nothing watches, so nothing is rented.",
      { zero: true },
    ),
    heartbeat: duration("5m", "How often the watchdog on the machine is told that we are here."),
    heartbeat_ttl: duration(
      "30m",
      "Time without a heartbeat after which the watchdog releases its machine.",
    ),
    assign_timeout: duration(
      "180s",
      "How long a machine that was asked for may take to be listed.",
    ),
    ready_timeout: duration(
      "45m",
      "How long installing, downloading and loading may take before a runtime is given up.",
    ),
    hf_token: secret(
      "Token for gated models of the Hugging Face Hub. Default: `$HF_TOKEN`.",
      "${HF_TOKEN}",
    ),
    rates: Rates,
    colab: Colab,
  },
  { ...closed, description: "GPUs rented from Google Colab, and when they are given back." },
);
export type RuntimesSection = Static<typeof RuntimesSection>;
