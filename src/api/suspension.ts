import { type Static, Type } from "@sinclair/typebox";

/** A suspension of the canary that keeps traffic away right now. */
export const Suspension = Type.Object(
  {
    endpoint: Type.String({ description: "`instance:model`, at a gateway with `@` and the host." }),
    instance: Type.String(),
    model: Type.String(),
    host: Type.Union([Type.String(), Type.Null()], {
      description: "Null where the target itself is suspended.",
    }),
    detail: Type.String({ description: "What failed." }),
    until_at: Type.Integer(),
  },
  { additionalProperties: false },
);

export const SUSPENSION: Static<typeof Suspension> = {
  endpoint: "openrouter:z-ai/glm-5.3-flash@somehost/fp8",
  instance: "openrouter",
  model: "z-ai/glm-5.3-flash",
  host: "somehost/fp8",
  detail: "language: code_mixing (pt, es)",
  until_at: 1_764_547_200_000,
};
