import { Type } from "@sinclair/typebox";

import { closed, duration } from "./schema-kinds.ts";

export const BreakerSection = Type.Object(
  {
    consecutive: Type.Integer({
      default: 5,
      minimum: 1,
      maximum: 1000,
      description: "Failures in a row that open the breaker of a target.",
    }),
    ratio: Type.Number({
      default: 0.5,
      minimum: 0.01,
      maximum: 1,
      description: "Share of failed calls within `window` that opens it.",
    }),
    min_calls: Type.Integer({
      default: 10,
      minimum: 1,
      maximum: 10_000,
      description: "Calls within `window` below which `ratio` says nothing.",
    }),
    window: duration("60s", "How far back `ratio` looks."),
    base: duration(
      "60s",
      "First bench of a target whose breaker opens; doubles while trials fail.",
    ),
    cap: duration("15m", "Longest bench of an open breaker, before ±10 % of chance."),
  },
  {
    ...closed,
    description:
      "Benches a target that keeps failing: overload, timeouts, 5xx, lost connections, broken answers. What a client caused, rate limits and refused credentials do not count.",
  },
);

/** One key per failure kind that benches for a time. */
export const CooldownsSection = Type.Object(
  {
    rate_limit: duration("20s", "First rung of the ladder; then at least 30 s, 60 s, 5 min."),
    overloaded: duration("15s", "The vendor says that it has no capacity.", { zero: true }),
    insufficient_credit: duration("10m", "The account is out of money: the whole instance."),
    model_not_found: duration("10m", "The vendor does not know the model."),
    timeout: duration("15s", "No connection, headers or content in time; 408, 504.", {
      zero: true,
    }),
    server: duration("10s", "500, 502, 503.", { zero: true }),
    network: duration("10s", "Connection refused, reset or lost; DNS; TLS.", { zero: true }),
    bad_upstream: duration("10m", "A redirect, or an answer that is neither JSON nor a stream."),
    stream_interrupted: duration("5s", "A stream that broke off after its first content.", {
      zero: true,
    }),
    unknown: duration("10s", "Whatever fits nowhere else.", { zero: true }),
  },
  {
    ...closed,
    description:
      "How long one failure of each kind benches a target where the vendor names no wait. A wait that the vendor names beats these, except that money and missing models take at least as long.",
  },
);
