import { Elysia } from "elysia";

import type { Runtimes } from "../../runtimes/runtimes.ts";
import { checkQuery } from "../check.ts";
import { describe } from "../describe.ts";
import type { Guard } from "../guard.ts";
import { quoted, refuse } from "../refusal.ts";
import type { Audit } from "./audit.ts";
import { adminBody, noBody } from "./body.ts";
import { answerPage, pageOf, PageQuery } from "./list.ts";
import {
  AdoptRequest,
  LogsQuery,
  readWish,
  RUNTIME_EXAMPLE,
  RuntimeItem,
  RuntimeLogs,
  UpRequest,
} from "./runtime-schemas.ts";

interface RuntimeDependencies {
  readonly runtimes: Pick<Runtimes, "list" | "find" | "up" | "down" | "adopt" | "logs">;
  readonly guard: Guard;
  readonly audit: Audit;
}

export const runtimeRoutes = (dependencies: RuntimeDependencies) =>
  new Elysia({ name: "api.admin.runtimes", prefix: "/admin/v1" })
    .onBeforeHandle(dependencies.guard)
    .get("/runtimes", ({ request }) => list(request, dependencies), {
      detail: describe({
        ...operation,
        summary: "List rented GPUs",
        description:
          "Everything that has a lease file, those that cannot be read too. `notice` is set where one may cost money that nobody means to spend.",
        query: PageQuery,
        answer: {
          description: "Runtimes",
          schema: pageOf(RuntimeItem),
          example: { items: [RUNTIME_EXAMPLE], next: null },
        },
      }),
    })
    .post("/runtimes", ({ request }) => up(request, dependencies), {
      parse: "none",
      detail: describe({
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
      }),
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
    .get("/runtimes/:name", ({ params }) => show(params.name, dependencies), {
      detail: describe({
        ...operation,
        summary: "Show a rented GPU",
        description: "One that ended since the start of the router is still found.",
        path: NAME,
        answer: { description: "The runtime", schema: RuntimeItem, example: RUNTIME_EXAMPLE },
        errors: ["not_found"],
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
    )
    .get(
      "/runtimes/:name/logs",
      ({ request, params }) => logs(request, params.name, dependencies),
      {
        detail: describe({
          ...operation,
          summary: "Read the logs of a rented GPU",
          description: "The last lines of each log on the machine, without keys.",
          path: NAME,
          query: LogsQuery,
          answer: {
            description: "Lines by log",
            schema: RuntimeLogs,
            example: { logs: { "server.log": ["INFO started"] } },
          },
          errors: ["not_found", "runtime_refused"],
        }),
      },
    );

const operation = { tag: "runtimes", scope: "admin", envelope: "admin" } as const;
const NAME = { name: "Name of the runtime." } as const;

async function list(request: Request, { runtimes }: RuntimeDependencies): Promise<Response> {
  const query = checkQuery(PageQuery, request);
  if (query.kind === "refused") return refuse("admin", query.refusal);
  return answerPage(await runtimes.list(), query.value);
}

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

async function show(name: string, { runtimes }: RuntimeDependencies): Promise<Response> {
  const found = await runtimes.find(name);
  return found === null ? unknown(name) : Response.json(found);
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

const LINES = 50;

async function logs(
  request: Request,
  name: string,
  { runtimes }: RuntimeDependencies,
): Promise<Response> {
  const query = checkQuery(LogsQuery, request);
  if (query.kind === "refused") return refuse("admin", query.refusal);
  const answer = await runtimes.logs(name, query.value.lines ?? LINES);
  if (answer === null) return unknown(name);
  return answer.ok ? Response.json({ logs: answer.logs }) : refused(answer.problem);
}

function unknown(name: string): Response {
  const message = `There is no runtime ${quoted(name)} that runs. \`GET /admin/v1/runtimes\` lists them.`;
  return refuse("admin", { code: "not_found", message, param: "name" });
}

function refused(message: string): Response {
  return refuse("admin", { code: "runtime_refused", message });
}
