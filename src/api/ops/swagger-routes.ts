import { swagger } from "@elysiajs/swagger";
import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import script from "swagger-ui-dist/swagger-ui-bundle.js" with { type: "file" };

import { describe, TAGS } from "../describe.ts";
import type { Guard } from "../guard.ts";
import { swaggerPage } from "./swagger-page.ts";

import css from "swagger-ui-dist/swagger-ui.css" with { type: "file" };

interface SwaggerDependencies {
  readonly guard: Guard;
  readonly version: string;
}

/**
 * The document comes from the plugin; its own page would load scripts from another host, so a later
 * route with the same path replaces it by one whose files are in the binary.
 */
export const swaggerRoutes = ({ guard, version }: SwaggerDependencies) => {
  const bundle = Bun.file(script).text();
  const guarded = new Elysia({ name: "api.swagger.files" })
    .onBeforeHandle(guard)
    .model({ OpenAiError, AdminError })
    .use(swagger({ documentation: documentation(version) }))
    .get("/swagger/ui.js", () => asset(script, "text/javascript"), { detail: { hide: true } })
    .get("/swagger/ui.css", () => asset(css, "text/css"), { detail: { hide: true } });
  return new Elysia({ name: "api.swagger" })
    .use(guarded)
    .get(
      "/swagger",
      async ({ request }) => swaggerPage(guard({ request })?.status ?? 200, await bundle),
      {
        detail: describe({
          ...operation,
          summary: "Show this page",
          description: "Asks for an admin key where one is needed.",
          answer: {
            description: "The page",
            type: "text/html",
            schema: Type.String(),
            example: "<!doctype html>",
          },
        }),
      },
    );
};

const operation = { tag: "docs", scope: "admin", envelope: "admin" } as const;

function asset(path: string, type: string): Response {
  return new Response(Bun.file(path), { headers: { "content-type": `${type}; charset=utf-8` } });
}

const nullableText = Type.Union([Type.String(), Type.Null()]);

const OpenAiError = Type.Object({
  error: Type.Object({
    message: Type.String(),
    type: Type.String(),
    param: nullableText,
    code: Type.String({ description: "Stable; docs/errors.md lists them." }),
  }),
});

const AdminError = Type.Object({
  error: Type.Object({
    code: Type.String({ description: "Stable; docs/errors.md lists them." }),
    message: Type.String(),
    param: nullableText,
    details: Type.Unknown(),
  }),
});

const DOCUMENT_OPERATION = {
  ...operation,
  summary: "Get this API as an OpenAPI document",
  answer: {
    description: "OpenAPI 3.1",
    schema: Type.Object({ openapi: Type.String() }, { additionalProperties: true }),
    example: { openapi: "3.1.0" },
  },
} as const;

function documentation(version: string) {
  return {
    openapi: "3.1.0",
    info: {
      title: "veriroute",
      version,
      description: "A router for LLM traffic that treats a `200 OK` as a claim to be checked.",
    },
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    // The plugin hides its own route.
    paths: { "/swagger/json": { get: { responses: {}, ...describe(DOCUMENT_OPERATION) } } },
    components: {
      securitySchemes: {
        bearer: { type: "http" as const, scheme: "bearer" },
        apiKey: { type: "apiKey" as const, in: "header", name: "x-api-key" },
      },
    },
  };
}
