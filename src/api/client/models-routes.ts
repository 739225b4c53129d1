import { Elysia } from "elysia";

import { nearestNames } from "../../lib/nearest.ts";
import type { ListedModel } from "../../routing/models-list.ts";
import type { ApiDependencies } from "../dependencies.ts";
import { describe } from "../describe.ts";
import { envelopeOf } from "../envelope.ts";
import type { Guard } from "../guard.ts";
import { quoted, refuse } from "../refusal.ts";
import { type CardOf, codexModels } from "./codex-models.ts";
import { Model, modelEntry, ModelsBody, modelsBody } from "./models-body.ts";

interface ModelsDependencies extends Pick<ApiDependencies, "models" | "catalog"> {
  readonly guard: Guard;
}

export const modelsRoutes = ({ guard, models, catalog }: ModelsDependencies) => {
  const one = ({ path, request }: { path: string; request: Request }) =>
    answerOne(modelId(path), models(), request);
  const all = ({ request }: { request: Request }) => {
    const listed = models();
    const cards = isCodex(request) ? codexModels(listed, cardsOf(catalog)) : [];
    return Response.json(modelsBody(listed, cards));
  };
  return new Elysia({ name: "api.models", prefix: "/v1" })
    .onBeforeHandle(guard)
    .get("/models", all, {
      detail: describe({
        ...operation,
        summary: "List what may be asked for",
        description:
          "Aliases, `auto`, pools, profiles, targets, then the bare names of models. One body that OpenAI, Anthropic and Codex clients accept.",
        answer: { description: "Models", schema: ModelsBody, example: modelsBody(LISTED) },
      }),
    })
    .get("/models/:id", one, {
      detail: describe({
        ...operation,
        summary: "Look one model up",
        path: { id: "An id of the list; its slashes may be written plainly or as `%2F`." },
        answer: { description: "The model", schema: Model, example: modelEntry(TARGET) },
        errors: ["model_not_found"],
      }),
    })
    .get("/models/*", one, { detail: { hide: true } });
};

const operation = { tag: "client", scope: "client", envelope: "openai" } as const;

const TARGET: ListedModel = { id: "nim:qwen3-30b", kind: "target", instance: "nim" };
const LISTED: readonly ListedModel[] = [
  { id: "auto", kind: "auto", instance: null },
  { id: "pool:main", kind: "pool", instance: null },
  TARGET,
];

/** Codex names its version where it lists models, and no other client does. */
function isCodex({ url }: Request): boolean {
  return URL.parse(url, "http://localhost")?.searchParams.has("client_version") ?? false;
}

function cardsOf(catalog: ModelsDependencies["catalog"]): CardOf {
  const rows = catalog.rows();
  const byTarget = new Map(rows.map(({ target, card }) => [target, card]));
  // A bare name leads to the first that lists it.
  const byModel = new Map(rows.toReversed().map(({ model, card }) => [model, card]));
  return ({ id }) => byTarget.get(id) ?? byModel.get(id);
}

const PREFIX = "/v1/models/";

/** Everything after the prefix, so that plain and encoded slashes name the same model. */
function modelId(path: string): string {
  const raw = path.slice(path.indexOf(PREFIX) + PREFIX.length);
  try {
    return decodeURIComponent(raw);
  } catch {
    return raw;
  }
}

function answerOne(id: string, listed: readonly ListedModel[], request: Request): Response {
  const found = listed.find((model) => model.id === id);
  if (found) return Response.json(modelEntry(found));
  const near = nearestNames(
    id,
    listed.map((model) => model.id),
  ).map((name) => quoted(name));
  const hint = near.length > 0 ? `Near it: ${near.join(", ")}.` : "`GET /v1/models` lists all.";
  return refuse(envelopeOf(request), {
    code: "model_not_found",
    message: `There is no model ${quoted(id)}. ${hint}`,
    param: "model",
  });
}
