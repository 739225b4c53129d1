import { Type } from "@sinclair/typebox";

import { closed, pageParameters } from "./list.ts";

const name = (description: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: 512, description }));

export const RoundQuery = Type.Object(
  {
    ...pageParameters,
    round_id: name("Of one round."),
    endpoint: name("Of one endpoint."),
    result: name("`pass`, `fail`, `inconclusive` or `transport`."),
  },
  closed,
);

export const ProbeQuery = Type.Object(
  { ...RoundQuery.properties, contract: name("`ttft`, `filter`, `structured` or `language`.") },
  closed,
);

const KINDS = [
  Type.Literal("suspended"),
  Type.Literal("would_suspend"),
  Type.Literal("floor_alert"),
  Type.Literal("early_restore"),
  Type.Literal("expired"),
  Type.Literal("operator_lift"),
  Type.Literal("ladder_reset"),
  Type.Literal("appeared"),
  Type.Literal("vanished"),
];

export const EventQuery = Type.Object(
  {
    ...pageParameters,
    endpoint: name("Of one endpoint."),
    kind: Type.Optional(
      Type.Union(KINDS, {
        description: "What happened.",
        expected: `it must be one of ${KINDS.map((kind) => kind.const).join(", ")}`,
      }),
    ),
  },
  closed,
);
