import { type Static, type TSchema, Type } from "@sinclair/typebox";

import type { Page } from "../../store/store.ts";
import { type Refusal, refuse } from "../refusal.ts";

export const MAX_LIMIT = 500;
export const DEFAULT_LIMIT = 50;

/** Parameters of every list; spread into the query of a list that has more. */
export const pageParameters = {
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: MAX_LIMIT, description: "Items per page, 50 by default." }),
  ),
  cursor: Type.Optional(
    Type.String({ minLength: 1, maxLength: 512, description: "`next` of the page before." }),
  ),
};

export const closed = { additionalProperties: false };

export const PageQuery = Type.Object(pageParameters, closed);
export type PageQuery = Static<typeof PageQuery>;

export const pageOf = (item: TSchema) =>
  Type.Object({ items: Type.Array(item), next: Type.Union([Type.String(), Type.Null()]) }, closed);

export const BAD_CURSOR: Refusal = {
  code: "invalid_request",
  message: "`cursor` is not one that a page gave out. Leave it out to start from the first page.",
  param: "cursor",
};

/** A page of a list that is in memory; its cursor is the position of the next item. */
export function answerPage(
  items: readonly unknown[],
  { limit = DEFAULT_LIMIT, cursor }: PageQuery,
) {
  if (cursor !== undefined && !/^\d{1,9}$/.test(cursor)) return refuse("admin", BAD_CURSOR);
  const start = Number(cursor ?? 0);
  const end = start + limit;
  const page: Page<unknown> = {
    items: items.slice(start, end),
    next: end < items.length ? String(end) : null,
  };
  return Response.json(page);
}
