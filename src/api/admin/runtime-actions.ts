import { Elysia } from "elysia";

import { describe } from "../describe.ts";
import { refuse } from "../refusal.ts";
import { adminBody, noBody } from "./body.ts";
import {
  NAME,
  operation,
  refused,
  type RuntimeDependencies,
  unknown,
} from "./runtime-operation.ts";
import {
  AdoptRequest,
  readWish,
  RUNTIME_EXAMPLE,
  RuntimeItem,
  UpRequest,
} from "./runtime-schemas.ts";

const UP = describe({
  ...operation,
  summary: "Rent a GPU and serve a model",
  description:
    "Costs money, so `confirmed` must be true. Answers once the lease is on disk and Colab is being asked; `GET /admin/v1/runtimes/{name}` shows how it goes on.",
  body: {
    schema: UpRequest,
    example: { repo: "Qwen/Qwen2.5-7B-Instruct", name: "gpu", confirmed: true },
  },
  answer: {
    status: 202,
    description: "The runtime, which is not ready yet",
    schema: RuntimeItem,
    example: { ...RUNTIME_EXAMPLE, phase: "starting", endpoint: null, base_url: null },
  },
  errors: ["invalid_value", "runtime_refused"],
});

export const runtimeActions = (dependencies: RuntimeDependencies) =>
  new Elysia({ name: "api.admin.runtime-actions", prefix: "/admin/v1" })
    .onBeforeHandle(dependencies.guard)
    .post("/runtimes", ({ request }) => up(request, dependencies), {
      parse: "none",
      detail: UP,
    })
    .post("/runtimes/adopt", ({ request }) => adopt(request, dependencies), {
      parse: "none",
      detail: describe({
        ...operation,
        summary: "Take over a machine that no lease accounts for",
        description:
          "It gets deadlines and can be released. What it serves is not known, so it stays `degraded`.",
        body: { schema: AdoptRequest, example: { endpoint: "gpu-t4-s-kkb-usw1b1-36jsit0sm8axr" } },
        answer: {
          status: 201,
          description: "The runtime",
          schema: RuntimeItem,
          example: { ...RUNTIME_EXAMPLE, phase: "degraded", target: null, base_url: null },
        },
        errors: ["runtime_refused"],
      }),
    })
    .post(
      "/runtimes/:name/down",
      ({ request, params }) => down(request, params.name, dependencies),
      {
        parse: "none",
        detail: describe({
          ...operation,
          summary: "Release a rented GPU",
          description:
            "Begins at once and goes on until two listings of Colab prove that the machine is gone.",
          writes: true,
          path: NAME,
          answer: {
            status: 202,
            description: "The runtime as it was",
            schema: RuntimeItem,
            example: RUNTIME_EXAMPLE,
          },
          errors: ["not_found", "runtime_refused"],
        }),
      },
    );

async function up(request: Request, dependencies: RuntimeDependencies): Promise<Response> {
  const body = await adminBody(request, UpRequest);
  if (body.kind === "refused") return refuse("admin", body.refusal);
  const wish = readWish(body.value);
  if (wish.kind === "refused") return refuse("admin", wish.refusal);
  const record = dependencies.audit(request);
  const answer = await dependencies.runtimes.up(wish.value);
  if (!answer.ok) return refused(answer.problem);
  const { name, sku } = answer.runtime;
  record({ action: "runtime.up", subject: name, detail: `${wish.value.repo} on ${sku}` });
  return Response.json(answer.runtime, { status: 202 });
}

async function adopt(request: Request, dependencies: RuntimeDependencies): Promise<Response> {
  const body = await adminBody(request, AdoptRequest);
  if (body.kind === "refused") return refuse("admin", body.refusal);
  const { endpoint, name = null } = body.value;
  const record = dependencies.audit(request);
  const answer = await dependencies.runtimes.adopt({ endpoint, name });
  if (!answer.ok) return refused(answer.problem);
  record({ action: "runtime.adopt", subject: answer.runtime.name, detail: endpoint });
  return Response.json(answer.runtime, { status: 201 });
}

async function down(
  request: Request,
  name: string,
  dependencies: RuntimeDependencies,
): Promise<Response> {
  const body = await noBody(request);
  if (body.kind === "refused") return refuse("admin", body.refusal);
  const record = dependencies.audit(request);
  const answer = await dependencies.runtimes.down(name);
  if (answer === null) return unknown(name);
  if (!answer.ok) return refused(answer.problem);
  record({ action: "runtime.down", subject: name, detail: null });
  return Response.json(answer.runtime, { status: 202 });
}
