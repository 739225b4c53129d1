/** Writes docs/api.md from the OpenAPI document of a router that it starts for the purpose. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { type Static, Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";

import { createApp } from "../src/app.ts";
import { formatted } from "./lib/formatted.ts";

const PAGE = "docs/api.md";

const INTRO = `# HTTP API

Generated from the routes by \`bun scripts/api-docs.ts\`; edit \`src/api/\`. Every field, parameter and error code of a route is in
the router itself: \`/swagger\` in a browser, \`/swagger/json\` as an OpenAPI document.

- The address is \`http://127.0.0.1:8484\` unless \`[server]\` says otherwise. Bodies are JSON and need its content type.
- Without any key everything is open on loopback. As soon as one exists, routes marked _client_ need a key of either scope,
  those marked _admin_ an admin key, as \`Authorization: Bearer …\` or \`x-api-key: …\`.
- Lists are \`{"items": […], "next": cursor or null}\` and take \`?limit=\` (50, at most 500) and \`&cursor=\`. A page may be
  short, or empty, while \`next\` goes on: filters that seldom meet are looked for a stretch at a time. Instants end in \`_at\` and
  are epoch milliseconds, durations end in \`_ms\`, money in \`_usd\`.
- Errors have a stable \`code\` and say what to do: [errors.md](errors.md). Every answer to a client request has \`x-request-id\`, and
  \`x-veriroute-decision\` once the caller is known: \`GET /admin/v1/decisions/{id}\` tells its story.

Below each route what it takes and what it answers, long examples cut. Words in braces are yours to fill in.
`;

const Content = Type.Record(Type.String(), Type.Object({ example: Type.Optional(Type.Unknown()) }));

const Operation = Type.Object({
  summary: Type.String(),
  tags: Type.Tuple([Type.String()]),
  security: Type.Array(Type.Unknown()),
  requestBody: Type.Optional(Type.Object({ content: Content })),
  responses: Type.Record(Type.String(), Type.Object({ content: Type.Optional(Content) })),
});
const Document = Type.Object({
  tags: Type.Array(Type.Object({ name: Type.String(), description: Type.String() })),
  paths: Type.Record(Type.String(), Type.Record(Type.String(), Operation)),
});

interface Route {
  /** In lower case. */
  readonly method: string;
  readonly path: string;
  readonly operation: Static<typeof Operation>;
}

/** The text of docs/api.md for an OpenAPI document, as the formatter leaves it. */
export function apiDocs(document: unknown): string {
  const { tags, paths } = Value.Decode(Document, document);
  const routes = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): Route => ({ method, path, operation })),
  );
  const sections = tags.map(({ name, description }) => {
    const own = routes.filter((route) => route.operation.tags[0] === name);
    const entries = own.map(entryOf).join("\n");
    return `## ${capitalized(name)}\n\n${description}\n\n\`\`\`text\n${entries}\`\`\`\n`;
  });
  return formatted(PAGE, [INTRO, ...sections].join("\n"));
}

const capitalized = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** One route: what it does, who may, and what goes in and out. */
function entryOf(route: Route): string {
  const { path, operation } = route;
  const { summary, requestBody, responses } = operation;
  const [status = "200", answer] =
    Object.entries(responses).find(([code]) => code.startsWith("2")) ?? [];
  const sent = requestBody === undefined ? "" : ` ${shown(requestBody.content)}`;
  const got = answer?.content === undefined ? "" : ` ${shown(answer.content)}`;
  return `# ${summary} (${scopeOf(route)})\n${route.method.toUpperCase()} ${path}${sent}\n${status}${got}\n`;
}

function scopeOf({ path, operation }: Route): string {
  if (operation.security.length === 0) return "anyone";
  return path.startsWith("/v1/") ? "client" : "admin";
}

const MAX_EXAMPLE = 160;

function shown(content: Static<typeof Content>): string {
  const [first] = Object.values(content);
  const example = first?.example ?? "";
  const text = typeof example === "string" ? example : JSON.stringify(example);
  const line = text.replaceAll(/\s*\n\s*/g, " ⏎ ").trim();
  return line.length > MAX_EXAMPLE ? `${line.slice(0, MAX_EXAMPLE)}…` : line;
}

async function documentOfRouter(): Promise<unknown> {
  const directory = mkdtempSync(join(tmpdir(), "veriroute-docs-"));
  const started = await createApp({
    paths: { state_dir: directory, config_file: null },
    env: { VERIROUTE_SERVER_PORT: "0", VERIROUTE_ROUTING_DISCOVER_LOCAL: "false" },
    version: "0.0.0",
  });
  if (!started.ok) throw new Error(started.problems.join("\n"));
  try {
    return await (await fetch(`${started.app.url}/swagger/json`, { proxy: false })).json();
  } finally {
    await started.app.stop();
    rmSync(directory, { recursive: true });
  }
}

if (import.meta.main) await Bun.write(PAGE, apiDocs(await documentOfRouter()));
