import { Elysia } from "elysia";

import { checkQuery } from "../check.ts";
import { describe } from "../describe.ts";
import { refuse } from "../refusal.ts";
import { answerPage, pageOf, PageQuery } from "./list.ts";
import {
  NAME,
  operation,
  refused,
  type RuntimeDependencies,
  unknown,
} from "./runtime-operation.ts";
import { LogsQuery, RUNTIME_EXAMPLE, RuntimeItem, RuntimeLogs } from "./runtime-schemas.ts";

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

async function list(request: Request, { runtimes }: RuntimeDependencies): Promise<Response> {
  const query = checkQuery(PageQuery, request);
  if (query.kind === "refused") return refuse("admin", query.refusal);
  return answerPage(await runtimes.list(), query.value);
}

async function show(name: string, { runtimes }: RuntimeDependencies): Promise<Response> {
  const found = await runtimes.find(name);
  return found === null ? unknown(name) : Response.json(found);
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
