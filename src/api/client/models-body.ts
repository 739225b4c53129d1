import { Type } from "@sinclair/typebox";

import type { JsonObject } from "../../protocol/openai/fields.ts";
import type { ListedModel } from "../../routing/models-list.ts";

/** No upstream tells reliably when a model was made, and the field must be there. */
const CREATED = { created: 0, created_at: "1970-01-01T00:00:00Z" };

const OWN_ENTRIES = "veriroute";

/** An entry that OpenAI clients (`object`, `owned_by`) and Anthropic clients (`type`) both read. */
export function modelEntry({ id, instance }: ListedModel) {
  return {
    id,
    object: "model",
    type: "model",
    ...CREATED,
    owned_by: instance ?? OWN_ENTRIES,
    display_name: id,
  };
}

/**
 * One body for all: OpenAI reads `data`, Anthropic also the paging fields, and Codex insists on
 * `models`, which may be empty.
 */
export function modelsBody(listed: readonly ListedModel[], models: readonly JsonObject[] = []) {
  return {
    object: "list",
    data: listed.map((model) => modelEntry(model)),
    has_more: false,
    first_id: listed[0]?.id ?? null,
    last_id: listed.at(-1)?.id ?? null,
    models,
  };
}

const closed = { additionalProperties: false };
const nullableText = Type.Union([Type.String(), Type.Null()]);

export const Model = Type.Object(
  {
    id: Type.String({ description: "Accepted as `model` exactly as it stands here." }),
    object: Type.Literal("model"),
    type: Type.Literal("model"),
    created: Type.Integer(),
    created_at: Type.String(),
    owned_by: Type.String({
      description: "The provider, or `veriroute` where the router decides.",
    }),
    display_name: Type.String(),
  },
  closed,
);

export const ModelsBody = Type.Object(
  {
    object: Type.Literal("list"),
    data: Type.Array(Model),
    has_more: Type.Literal(false),
    first_id: nullableText,
    last_id: nullableText,
    models: Type.Array(Type.Object({}, { additionalProperties: true }), {
      description: "The same models for Codex; empty unless it asks, with `client_version`.",
    }),
  },
  closed,
);
