import { type Static, type TSchema, Type } from "@sinclair/typebox";
import { Elysia } from "elysia";

import { checkQuery } from "../check.ts";
import type { ApiDependencies } from "../dependencies.ts";
import { describe } from "../describe.ts";
import type { Guard } from "../guard.ts";
import { refuse } from "../refusal.ts";
import { answerPage, closed, pageOf, pageParameters } from "./list.ts";

interface CatalogDependencies extends Pick<ApiDependencies, "catalog"> {
  readonly guard: Guard;
}

export const catalogRoutes = ({ guard, catalog }: CatalogDependencies) =>
  new Elysia({ name: "api.admin.catalog", prefix: "/admin/v1" })
    .onBeforeHandle(guard)
    .get("/catalog", ({ request }) => list(request, catalog), {
      detail: describe({
        tag: "fleet",
        scope: "admin",
        envelope: "admin",
        summary: "List model cards",
        description:
          "What is known of every listed, configured or described model, and where each fact comes from. What is not known is null, never zero.",
        query: CatalogQuery,
        answer: {
          description: "Cards",
          schema: pageOf(CatalogItem),
          example: { items: [EXAMPLE], next: null },
        },
      }),
    });

const CatalogQuery = Type.Object(
  {
    ...pageParameters,
    filter: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 256,
        description: "Only targets that hold this text, in any case.",
      }),
    ),
  },
  closed,
);

function list(request: Request, catalog: CatalogDependencies["catalog"]): Response {
  const query = checkQuery(CatalogQuery, request);
  if (query.kind === "refused") return refuse("admin", query.refusal);
  const { filter = "", ...page } = query.value;
  const wanted = filter.toLowerCase();
  const rows = catalog.rows().filter(({ target }) => target.toLowerCase().includes(wanted));
  return answerPage(rows, page);
}

const nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);
const usd = (description: string) => nullable(Type.Number({ minimum: 0, description }));

const tokenPrices = {
  input_usd: usd("USD per million input tokens."),
  output_usd: usd("USD per million output tokens."),
  cached_input_usd: usd("For input read from the vendor's cache."),
  cache_write_usd: usd("For input written to it."),
};

const Source = nullable(
  Type.Union(
    ["override", "self-hosted", "listing", "bundled"].map((source) => Type.Literal(source)),
  ),
);

const CatalogItem = Type.Object(
  {
    target: Type.String({ description: "Key, `instance:model`." }),
    instance: Type.String(),
    model: Type.String(),
    card: Type.Object(
      {
        window_tokens: nullable(Type.Integer({ description: "Prompt and answer together." })),
        max_output_tokens: nullable(Type.Integer()),
        price: Type.Object(
          {
            ...tokenPrices,
            request_usd: usd("USD per request, beside its tokens."),
            long_prompt: nullable(
              Type.Object({ above_tokens: Type.Integer(), ...tokenPrices }, closed),
            ),
          },
          closed,
        ),
        capabilities: Type.Object(
          {
            tools: nullable(Type.Boolean()),
            vision: nullable(Type.Boolean()),
            json: nullable(Type.Boolean()),
            reasoning: nullable(Type.Boolean()),
          },
          closed,
        ),
        source: Type.String({ description: "Where the price comes from." }),
        as_of: nullable(Type.String({ description: "Day as of which it holds." })),
      },
      closed,
    ),
    sources: Type.Record(Type.String(), Source, { description: "Where each fact comes from." }),
    reference: nullable(Type.String({ description: "The vendor's page of a bundled price." })),
  },
  closed,
);

const EXAMPLE: Static<typeof CatalogItem> = {
  target: "openai:gpt-5.4",
  instance: "openai",
  model: "gpt-5.4",
  card: {
    window_tokens: 1_050_000,
    max_output_tokens: 128_000,
    price: {
      input_usd: 2.5,
      output_usd: 15,
      cached_input_usd: 0.25,
      cache_write_usd: null,
      request_usd: null,
      long_prompt: {
        above_tokens: 272_000,
        input_usd: 5,
        output_usd: 22.5,
        cached_input_usd: 0.5,
        cache_write_usd: null,
      },
    },
    capabilities: { tools: true, vision: true, json: true, reasoning: true },
    source: "bundled",
    as_of: "2026-11-05",
  },
  sources: {
    window_tokens: "bundled",
    max_output_tokens: "bundled",
    input_usd: "bundled",
    output_usd: "bundled",
    cached_input_usd: "bundled",
    cache_write_usd: null,
    request_usd: null,
    long_prompt: "bundled",
    tools: "bundled",
    vision: "bundled",
    json: "bundled",
    reasoning: "bundled",
  },
  reference: "https://developers.openai.com/api/docs/pricing",
};
