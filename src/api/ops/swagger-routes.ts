import { swagger } from "@elysiajs/swagger";
import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import script from "swagger-ui-dist/swagger-ui-bundle.js" with { type: "file" };

import { describe, TAGS } from "../describe.ts";
import type { Guard } from "../guard.ts";
import { sourceHash, swaggerPage } from "./swagger-page.ts";

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
  let bundleHash: Promise<string> | undefined;
  const guarded = new Elysia({ name: "api.swagger.files" })
    .onBeforeHandle(guard)
    .use(swagger({ documentation: documentation(version) }))
    .get("/swagger/ui.js", () => asset(script, "text/javascript"), { detail: { hide: true } })
    .get("/swagger/ui.css", () => asset(css, "text/css"), { detail: { hide: true } });
  return new Elysia({ name: "api.swagger" }).use(guarded).get(
    "/swagger",
    async ({ request }) => {
      bundleHash ??= Bun.file(script).text().then(sourceHash);
      return swaggerPage(guard({ request })?.status ?? 200, await bundleHash);
    },
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

const text = (description: string) => ({ type: "string" as const, description });
const code = text("Stable; docs/errors.md lists them.");
const message = text("What failed, on what, and what to do.");
const param = { description: "The field or parameter at fault, or null." };

/** Written out, since the framework's own models get an `$id`, in which OpenAPI 3.1 looks references up. */
const ERROR_SCHEMAS = {
  OpenAiError: envelope({ message, type: text("Kind of error, in OpenAI's words."), param, code }),
  AnthropicError: anthropicEnvelope(),
  AdminError: envelope({ code, message, param, details: { description: "Facts, or null." } }),
};

/** Its clients know types only; the stable code stands where newer versions of the API put theirs. */
function anthropicEnvelope() {
  const type = "object" as const;
  const kind = text("Kind of error, in Anthropic's words.");
  const details = { type, required: ["error_code"], properties: { error_code: code, param } };
  const error = {
    type,
    required: ["type", "message", "details"],
    properties: { type: kind, message, details },
  };
  return { type, required: ["type", "error"], properties: { type: text("`error`."), error } };
}

function envelope<T extends object>(properties: T) {
  const type = "object" as const;
  const error = { type, required: Object.keys(properties), properties };
  return { type, required: ["error"], properties: { error } };
}

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
      schemas: ERROR_SCHEMAS,
      securitySchemes: {
        bearer: { type: "http" as const, scheme: "bearer" },
        apiKey: { type: "apiKey" as const, in: "header", name: "x-api-key" },
      },
    },
  };
}
