import { Type } from "@sinclair/typebox";

import { Reason } from "../routing/plan.ts";

/** What every list of targets tells of each. */
export const targetHealth = {
  target: Type.String({ description: "Key, `instance:model`." }),
  eligible: Type.Boolean(),
  reasons: Type.Array(Reason),
  in_flight: Type.Integer(),
  latency_ms: Type.Union([Type.Number(), Type.Null()]),
  score: Type.Union([Type.Number(), Type.Null()]),
};
