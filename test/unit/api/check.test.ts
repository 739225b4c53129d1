import { expect, test } from "bun:test";

import { Type } from "@sinclair/typebox";

import { PageQuery } from "../../../src/api/admin/list.ts";
import { check, checkQuery } from "../../../src/api/check.ts";

const Body = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 8 }),
    note: Type.Optional(Type.String()),
    share: Type.Optional(Type.Number({ maximum: 1 })),
    on: Type.Optional(Type.Boolean()),
    scope: Type.Optional(Type.Union([Type.Literal("a"), Type.Literal("b")])),
    kind: Type.Optional(
      Type.Union([Type.Literal("a"), Type.Literal("b")], { expected: "it must be `a` or `b`" }),
    ),
  },
  { additionalProperties: false },
);

test.each<{ body: unknown; says: string; param: string | null }>([
  { body: 1, says: "The body does not fit.", param: null },
  { body: {}, says: "`name` is missing: it must be a text of 1 to 8 characters.", param: "name" },
  {
    body: { name: "" },
    says: "`name` does not fit: it must be a text of 1 to 8 characters.",
    param: "name",
  },
  { body: { name: "x", note: 1 }, says: "`note` does not fit: it must be a text.", param: "note" },
  {
    body: { name: "x", share: 2 },
    says: "`share` does not fit: it must be a number of at most 1.",
    param: "share",
  },
  { body: { name: "x", on: 1 }, says: "`on` does not fit: it must be true or false.", param: "on" },
  { body: { name: "x", scope: "c" }, says: "`scope` does not fit.", param: "scope" },
  {
    body: { name: "x", kind: 1 },
    says: "`kind` does not fit: it must be `a` or `b`.",
    param: "kind",
  },
  {
    body: { nmae: "x" },
    says: "`nmae` is not known here; known are `name`, `note`, `share`, `on`, `scope`, `kind`.",
    param: "nmae",
  },
])("$body is refused with the words of the schema", ({ body, says, param }) => {
  expect(check(Body, body)).toEqual({
    kind: "refused",
    refusal: { code: "invalid_request", message: says, param },
  });
});

test.each(["limit=0", "limit=501", "limit=ten", "limit=", "limit=1.5"])(
  "`?%s` is told what a limit is",
  (query) => {
    const checked = checkQuery(PageQuery, new Request(`http://localhost/?${query}`));

    expect(checked).toMatchObject({
      refusal: {
        message: "`limit` does not fit: it must be a whole number from 1 to 500.",
        param: "limit",
      },
    });
  },
);
