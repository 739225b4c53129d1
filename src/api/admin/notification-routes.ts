import { type Static, Type } from "@sinclair/typebox";
import { Elysia } from "elysia";

import type { NotificationView, ReceiverView } from "../../control/notifications.ts";
import { checkQuery } from "../check.ts";
import type { ApiDependencies } from "../dependencies.ts";
import { describe } from "../describe.ts";
import type { Guard } from "../guard.ts";
import { quoted, refuse } from "../refusal.ts";
import type { Audit } from "./audit.ts";
import { optionalBody } from "./body.ts";
import { answerPage, closed, pageOf, pageParameters, PageQuery } from "./list.ts";

interface NotificationDependencies extends Pick<ApiDependencies, "notifications"> {
  readonly guard: Guard;
  readonly audit: Audit;
}

export const notificationRoutes = (dependencies: NotificationDependencies) =>
  new Elysia({ name: "api.admin.notifications", prefix: "/admin/v1" })
    .onBeforeHandle(dependencies.guard)
    .get("/notifications", ({ request }) => list(request, dependencies), {
      detail: describe({
        ...operation,
        summary: "List recent notices",
        description: "Newest first, those of this process, whether or not anyone was told.",
        query: NoticeQuery,
        answer: {
          description: "Notices",
          schema: pageOf(NoticeItem),
          example: { items: [NOTICE], next: null },
        },
      }),
    })
    .get("/notifications/receivers", ({ request }) => receivers(request, dependencies), {
      detail: describe({
        ...operation,
        summary: "List receivers of notices",
        description:
          "Those of the config, and how deliveries to them went. Never a URL or a token.",
        query: PageQuery,
        answer: {
          description: "Receivers",
          schema: pageOf(ReceiverItem),
          example: { items: [RECEIVER], next: null },
        },
      }),
    })
    .post("/notifications/test", ({ request }) => test(request, dependencies), {
      parse: "none",
      detail: describe({
        ...operation,
        summary: "Try receivers",
        description:
          "Posts a test notice to one receiver, or without a body to all; answers when they have, one try each.",
        body: { schema: TestRequest, example: { receiver: "ops" } },
        answer: { description: "How it went", schema: Tested, example: { items: [TESTED] } },
        errors: ["not_found"],
      }),
    });

const operation = { tag: "health", scope: "admin", envelope: "admin" } as const;

const nullable = <T extends ReturnType<typeof Type.String | typeof Type.Integer>>(schema: T) =>
  Type.Union([schema, Type.Null()]);

const NoticeQuery = Type.Object(
  {
    ...pageParameters,
    kind: Type.Optional(
      Type.String({ minLength: 1, maxLength: 64, description: "Such as `breaker_opened`." }),
    ),
  },
  closed,
);

const NoticeItem = Type.Object(
  {
    at: Type.Integer(),
    kind: Type.String(),
    severity: Type.Union(["info", "warning", "critical"].map((severity) => Type.Literal(severity))),
    title: Type.String(),
    text: Type.String(),
    receivers: Type.Array(Type.String(), { description: "Whom it was meant for." }),
  },
  closed,
);

const NOTICE: NotificationView = {
  at: 1_764_460_800_412,
  kind: "breaker_opened",
  severity: "warning",
  title: "nim:qwen3-30b is benched",
  text: "nim:qwen3-30b is benched: signature:empty_200, 4 bad answers, score 9.2. It may be tried again from 2025-11-30T00:01:00.412Z.",
  receivers: ["ops"],
};

const ReceiverItem = Type.Object(
  {
    name: Type.String(),
    type: Type.Union([Type.Literal("webhook"), Type.Literal("ntfy")]),
    host: Type.String({ description: "Of its URL, which is a secret." }),
    delivered: Type.Integer(),
    failed: Type.Integer({ description: "Given up after their retries." }),
    dropped: Type.Integer({ description: "Pushed out by newer ones while it was down." }),
    queued: Type.Integer(),
    problem: nullable(Type.String({ description: "What went wrong last; null once one arrived." })),
  },
  closed,
);

const RECEIVER: ReceiverView = {
  name: "ops",
  type: "ntfy",
  host: "ntfy.example.org",
  delivered: 4,
  failed: 0,
  dropped: 0,
  queued: 0,
  problem: null,
};

const TestRequest = Type.Object(
  {
    receiver: Type.Optional(
      Type.String({ minLength: 1, maxLength: 64, expected: "it must be the name of a receiver" }),
    ),
  },
  closed,
);

const TestItem = Type.Object(
  {
    receiver: Type.String(),
    ok: Type.Boolean(),
    status: nullable(Type.Integer()),
    problem: nullable(Type.String()),
  },
  closed,
);
const Tested = Type.Object({ items: Type.Array(TestItem) }, closed);

const TESTED: Static<typeof TestItem> = { receiver: "ops", ok: true, status: 200, problem: null };

function list(request: Request, { notifications }: NotificationDependencies): Response {
  const query = checkQuery(NoticeQuery, request);
  if (query.kind === "refused") return refuse("admin", query.refusal);
  const { kind, ...page } = query.value;
  const wanted = notifications.recent().filter((one) => kind === undefined || one.kind === kind);
  return answerPage(wanted, page);
}

function receivers(request: Request, { notifications }: NotificationDependencies): Response {
  const query = checkQuery(PageQuery, request);
  if (query.kind === "refused") return refuse("admin", query.refusal);
  return answerPage(notifications.receivers(), query.value);
}

async function test(
  request: Request,
  { notifications, audit }: NotificationDependencies,
): Promise<Response> {
  const body = await optionalBody(request, TestRequest);
  if (body.kind === "refused") return refuse("admin", body.refusal);
  const { receiver } = body.value;
  const record = audit(request);
  const items = await notifications.test(receiver);
  if (items === undefined) {
    const message = `There is no receiver ${quoted(receiver ?? "")} in \`[notifications]\`. \`GET /admin/v1/notifications/receivers\` lists them.`;
    return refuse("admin", { code: "not_found", message, param: "receiver" });
  }
  record({ action: "notifications.test", subject: receiver ?? "all", detail: null });
  return Response.json({ items });
}
