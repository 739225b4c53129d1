import { type Static, Type } from "@sinclair/typebox";
import { Elysia } from "elysia";

import { BREAKER, Breaker } from "../breaker.ts";
import { checkQuery } from "../check.ts";
import type { ApiDependencies } from "../dependencies.ts";
import { describe } from "../describe.ts";
import type { Guard } from "../guard.ts";
import { refuse } from "../refusal.ts";
import type { Audit } from "./audit.ts";
import { adminBody } from "./body.ts";
import { answerPage, closed, pageOf, PageQuery } from "./list.ts";
import {
  readKnownSubject,
  readSignature,
  readTripping,
  ReasonField,
  SignatureField,
  SubjectField,
} from "./signature-subject.ts";

interface TripDependencies extends Pick<ApiDependencies, "relay" | "inventory"> {
  readonly guard: Guard;
  readonly audit: Audit;
}

export const tripRoutes = (dependencies: TripDependencies) =>
  new Elysia({ name: "api.admin.trips", prefix: "/admin/v1" })
    .onBeforeHandle(dependencies.guard)
    .get("/breakers/suspicions", ({ request }) => suspicions(request, dependencies), {
      detail: describe({
        ...operation,
        summary: "List suspicions",
        description:
          "What is held against instances and targets for what their answers look like, and the baseline that it is measured by.",
        query: PageQuery,
        answer: {
          description: "Suspicions",
          schema: pageOf(SuspicionItem),
          example: { items: [SUSPICION], next: null },
        },
      }),
    })
    .post("/breakers/trip", ({ request }) => trip(request, dependencies), {
      parse: "none",
      detail: describe({
        ...operation,
        summary: "Open a breaker",
        description:
          "As if answers had shown this signature. It recovers like any other, by trials; what is to last is an exclusion.",
        body: {
          schema: TripRequest,
          example: { subject: "nim:qwen3-30b", signature: "empty_200", reason: "a drill" },
        },
        answer: {
          status: 201,
          description: "The breaker",
          schema: Breaker,
          example: { ...BREAKER, cause: "signature:empty_200", detail: "by hand: a drill" },
        },
        errors: ["invalid_value"],
      }),
    })
    .post("/breakers/clear", ({ request }) => clear(request, dependencies), {
      parse: "none",
      detail: describe({
        ...operation,
        summary: "Close breakers opened by signatures",
        description:
          "Those of exactly this subject, and what is held against it. Other breakers and cooldowns stay: `POST /admin/v1/health/clear` lifts them too.",
        body: {
          schema: ClearRequest,
          example: { subject: "nim:qwen3-30b", signature: "empty_200" },
        },
        answer: {
          description: "How many were closed",
          schema: Cleared,
          example: { subject: "nim:qwen3-30b", signature: "empty_200", breakers: 1 },
        },
        errors: ["invalid_value"],
      }),
    });

const operation = { tag: "health", scope: "admin", envelope: "admin" } as const;

const SuspicionItem = Type.Object(
  {
    scope: Type.Union([Type.Literal("provider"), Type.Literal("target")]),
    subject: Type.String({ description: "Name of the instance or key of the target." }),
    signature: Type.String(),
    score: Type.Number({ description: "Evidence so far; half of `threshold` is a suspicion." }),
    threshold: Type.Number({ description: "Score that opens a breaker." }),
    hits: Type.Integer({ description: "Bad answers since the score was last 0." }),
    bad: Type.Integer({ description: "Bad answers of the 24 hours before the current one." }),
    answers: Type.Integer({ description: "All answers of these 24 hours." }),
    probation: Type.Integer({ description: "Answers left of the sharper look after a bench." }),
    since_at: Type.Integer({ description: "When counting began." }),
  },
  closed,
);

const SUSPICION: Static<typeof SuspicionItem> = {
  scope: "target",
  subject: "nim:qwen3-30b",
  signature: "empty_200",
  score: 5.4,
  threshold: 8,
  hits: 2,
  bad: 1,
  answers: 412,
  probation: 0,
  since_at: 1_764_374_400_000,
};

function suspicions(request: Request, { relay }: Pick<TripDependencies, "relay">): Response {
  const query = checkQuery(PageQuery, request);
  if (query.kind === "refused") return refuse("admin", query.refusal);
  const items = relay.suspicions().map((one) => {
    return Object.assign({}, one, { score: round(one.score), threshold: round(one.threshold) });
  });
  return answerPage(items, query.value);
}

const round = (score: number) => Math.round(score * 100) / 100;

const TripRequest = Type.Object(
  { subject: SubjectField, signature: SignatureField, reason: ReasonField },
  closed,
);

async function trip(
  request: Request,
  { relay, inventory, audit }: TripDependencies,
): Promise<Response> {
  const body = await adminBody(request, TripRequest);
  if (body.kind === "refused") return refuse("admin", body.refusal);
  const subject = readKnownSubject(body.value.subject, inventory);
  if (subject.kind === "refused") return refuse("admin", subject.refusal);
  const signature = readTripping(body.value.signature, subject.value);
  if (signature.kind === "refused") return refuse("admin", signature.refusal);
  const reason = body.value.reason.trim();
  const record = audit(request);
  const opened = relay.tripSignature(subject.value, signature.value, `by hand: ${reason}`);
  const detail = `${signature.value}: ${reason}`;
  record({ action: "breaker.trip", subject: subject.value.subject, detail });
  return Response.json({ ...opened, state: "open" }, { status: 201 });
}

const ClearRequest = Type.Object(
  { subject: SubjectField, signature: Type.Optional(SignatureField) },
  closed,
);

const Cleared = Type.Object(
  {
    subject: Type.String(),
    signature: Type.Union([Type.String(), Type.Null()], { description: "Null is all of them." }),
    breakers: Type.Integer(),
  },
  closed,
);

async function clear(
  request: Request,
  { relay, inventory, audit }: TripDependencies,
): Promise<Response> {
  const body = await adminBody(request, ClearRequest);
  if (body.kind === "refused") return refuse("admin", body.refusal);
  const read = readKnownSubject(body.value.subject, inventory);
  if (read.kind === "refused") return refuse("admin", read.refusal);
  const named = readSignature(body.value.signature ?? null);
  if (named.kind === "refused") return refuse("admin", named.refusal);
  const { subject } = read.value;
  const signature = named.value;
  const record = audit(request);
  const breakers = relay.clearSignature(read.value, signature);
  record({
    action: "breaker.clear",
    subject,
    detail: `${signature ?? "every signature"}, ${breakers} breakers`,
  });
  return Response.json({ subject, signature, breakers });
}
