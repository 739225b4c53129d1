import { type Static, Type } from "@sinclair/typebox";

import { DURATION_PATTERN } from "../lib/durations.ts";
import { duration, entry, optional, secret } from "./schema-kinds.ts";

/** Timeouts that an instance may set for itself; all default to the value in `[routing]`. */
export const timeouts = {
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
