import { type Static, Type } from "@sinclair/typebox";
import { Elysia } from "elysia";

import type { Mute } from "../../health/trips/mutes.ts";
import { checkQuery } from "../check.ts";
import type { ApiDependencies } from "../dependencies.ts";
import { describe } from "../describe.ts";
import type { Guard } from "../guard.ts";
import { parseInstant } from "../instant.ts";
import { quoted, refuse } from "../refusal.ts";
import type { Audit } from "./audit.ts";
import { adminBody } from "./body.ts";
import { answerPage, closed, pageOf, PageQuery } from "./list.ts";
import {
  readKnownSubject,
  readSignature,
  ReasonField,
  SignatureField,
  SubjectField,
  wrong,
} from "./signature-subject.ts";

interface MuteDependencies extends Pick<
  ApiDependencies,
  "clock" | "newId" | "store" | "inventory"
> {
  readonly guard: Guard;
  readonly audit: Audit;
}

export const muteRoutes = (dependencies: MuteDependencies) =>
  new Elysia({ name: "api.admin.mutes", prefix: "/admin/v1" })
    .onBeforeHandle(dependencies.guard)
    .get("/breakers/mutes", ({ request }) => list(request, dependencies), {
      detail: describe({
        ...operation,
        summary: "List mutes",
        description:
          "Signatures that bench nothing for now. Those whose time is over are left out.",
        query: PageQuery,
        answer: {
          description: "Mutes",
          schema: pageOf(MuteItem),
          example: { items: [MUTE], next: null },
        },
      }),
    })
    .post("/breakers/mutes", ({ request }) => create(request, dependencies), {
      parse: "none",
      detail: describe({
        ...operation,
        summary: "Mute a signature",
        description:
          "It is still recorded and counted, but benches this subject no more, and what it has benched serves again at once. Replaces an earlier mute of the same subject and signature.",
        body: {
          schema: MuteRequest,
          example: {
            subject: "nim:qwen3-30b",
            signature: "empty_200",
            reason: "known, being repaired",
            until: "2026-12-01T08:00:00Z",
          },
        },
        answer: { status: 201, description: "The mute", schema: MuteItem, example: MUTE },
        errors: ["invalid_value", "store_unavailable"],
      }),
    })
    .delete(
      "/breakers/mutes/:id",
      ({ request, params }) => remove(request, params.id, dependencies),
      {
        parse: "none",
        detail: describe({
          ...operation,
          summary: "Remove a mute",
          writes: true,
          path: { id: "Id of the mute, as the list shows it." },
          answer: { description: "The mute that was", schema: MuteItem, example: MUTE },
          errors: ["not_found", "store_unavailable"],
        }),
      },
    );

const operation = { tag: "health", scope: "admin", envelope: "admin" } as const;

const MuteRequest = Type.Object(
  {
    subject: SubjectField,
    signature: Type.Optional(SignatureField),
    reason: ReasonField,
    until: Type.Optional(
      Type.Union([Type.String(), Type.Integer(), Type.Null()], {
        description: "When it ends by itself: epoch ms or RFC 3339. Left out, it lasts.",
        expected: "it must be epoch milliseconds or RFC 3339, such as `2026-11-30T12:00:00Z`",
      }),
    ),
  },
  closed,
);

const MuteItem = Type.Object(
  {
    id: Type.String(),
    scope: Type.Union([Type.Literal("provider"), Type.Literal("target")]),
    subject: Type.String(),
    signature: Type.Union([Type.String(), Type.Null()], { description: "Null is all of them." }),
    reason: Type.String(),
    created_at: Type.Integer(),
    until_at: Type.Union([Type.Integer(), Type.Null()], { description: "Null lasts." }),
  },
  closed,
);

const MUTE: Static<typeof MuteItem> = {
  id: "01995b6e-7c11-7000-8000-0d5a1f0c77ab",
  scope: "target",
  subject: "nim:qwen3-30b",
  signature: "empty_200",
  reason: "known, being repaired",
  created_at: 1_764_460_800_000,
  until_at: 1_764_576_000_000,
};

const mutesOf = ({ store, clock }: Pick<MuteDependencies, "store" | "clock">): readonly Mute[] =>
  store.state().mutes.filter(({ until_at }) => until_at === null || clock.now() < until_at);

function list(request: Request, dependencies: MuteDependencies): Response {
  const query = checkQuery(PageQuery, request);
  if (query.kind === "refused") return refuse("admin", query.refusal);
  return answerPage(mutesOf(dependencies), query.value);
}

async function create(request: Request, dependencies: MuteDependencies): Promise<Response> {
  const { clock, newId, store, inventory, audit } = dependencies;
  const body = await adminBody(request, MuteRequest);
  if (body.kind === "refused") return refuse("admin", body.refusal);
  const { until = null } = body.value;
  const read = readKnownSubject(body.value.subject, inventory);
  if (read.kind === "refused") return refuse("admin", read.refusal);
  const named = readSignature(body.value.signature ?? null);
  if (named.kind === "refused") return refuse("admin", named.refusal);
  const created_at = clock.now();
  const until_at = until === null ? null : (parseInstant(String(until)) ?? 0);
  if (until_at !== null && until_at <= created_at) return refuse("admin", PAST.refusal);
  const { scope, subject } = read.value;
  const [signature, reason] = [named.value, body.value.reason.trim()];
  const mute = { id: newId(), scope, subject, signature, reason, created_at, until_at };
  const record = audit(request);
  await store.addMute(mute);
  const end = until_at === null ? "" : `, until ${new Date(until_at).toISOString()}`;
  const detail = `${signature ?? "every signature"}: ${reason}${end}`;
  record({ action: "breaker.mute", subject, detail });
  return Response.json(mute, { status: 201 });
}

const PAST = wrong(
  "until",
  "it must be an instant that is still to come, as epoch milliseconds or RFC 3339, such as `2026-11-30T12:00:00Z`; leave it out for a mute that lasts",
);

async function remove(
  request: Request,
  id: string,
  dependencies: MuteDependencies,
): Promise<Response> {
  const { store, audit } = dependencies;
  const found = mutesOf(dependencies).find((mute) => mute.id === id);
  const record = audit(request);
  if (found === undefined || !(await store.removeMute(id))) {
    const message = `There is no mute ${quoted(id)}. \`GET /admin/v1/breakers/mutes\` lists them.`;
    return refuse("admin", { code: "not_found", message, param: "id" });
  }
  record({ action: "breaker.unmute", subject: found.subject, detail: found.signature });
  return Response.json(found);
}
