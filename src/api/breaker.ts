import { type Static, Type } from "@sinclair/typebox";

import { Trip } from "../health/breaker.ts";

/** An open breaker, as every list shows it. */
export const Breaker = Type.Object(
  {
    ...Trip.properties,
    state: Type.Union([Type.Literal("open"), Type.Literal("half_open")], {
      description: "Half open lets one request at a time try.",
    }),
  },
  { additionalProperties: false },
);

export const BREAKER: Static<typeof Breaker> = {
  scope: "target",
  subject: "nim:qwen3-30b",
  cause: "failure_rate",
  detail: "5 failures in a row, the last one timeout",
  opened_at: 1_764_460_790_000,
  until_at: 1_764_460_851_200,
  reopened: 0,
  state: "open",
};
