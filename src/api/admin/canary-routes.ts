import type { TObject } from "@sinclair/typebox";
import { Elysia } from "elysia";

import type { EndpointState } from "../../canary/ladder/state.ts";
import { type Checked, checkQuery } from "../check.ts";
import type { ApiDependencies } from "../dependencies.ts";
import { describe } from "../describe.ts";
import type { Guard } from "../guard.ts";
import { refuse } from "../refusal.ts";
import { EventQuery, ProbeQuery, RoundQuery } from "./canary-queries.ts";
import { EVENTS, PROBES, ROUNDS, STATUS, Status } from "./canary-schemas.ts";
import { DEFAULT_LIMIT } from "./list.ts";

interface CanaryDependencies extends Pick<ApiDependencies, "canary" | "store"> {
  readonly guard: Guard;
}

/** What the canary knows; what changes something is in `canary-actions.ts`. */
export const canaryRoutes = (dependencies: CanaryDependencies) =>
  new Elysia({ name: "api.admin.canary", prefix: "/admin/v1" })
    .onBeforeHandle(dependencies.guard)
    .get("/canary", () => Response.json(shown(dependencies.canary)), {
      detail: describe({
        ...operation,
        summary: "Show the canary",
        description: "Every endpoint it watches, what it has spent today, and when it asks again.",
        answer: { description: "The canary", schema: Status, example: STATUS },
      }),
    })
    .get("/canary/rounds", ({ request }) => rounds(request, dependencies), {
      detail: describe({
        ...operation,
        summary: "List how endpoints came out of rounds",
        description: "Newest first, one for each endpoint and round, for 30 days.",
        query: RoundQuery,
        answer: { description: "Results", ...ROUNDS },
        errors: ["store_unavailable"],
      }),
    })
    .get("/canary/probes", ({ request }) => probes(request, dependencies), {
      detail: describe({
        ...operation,
        summary: "List probes",
        description:
          "Newest first, for 30 days. One without a result is under way, or its process ended before the answer.",
        query: ProbeQuery,
        answer: { description: "Probes, without any text of theirs", ...PROBES },
        errors: ["store_unavailable"],
      }),
    })
    .get("/canary/suspensions", ({ request }) => suspensions(request, dependencies), {
      detail: describe({
        ...operation,
        summary: "List suspensions and what else happened",
        description:
          "Newest first: suspensions, in observe mode those that would have been, restorations, lifts, and alerts of too few hosts.",
        query: EventQuery,
        answer: { description: "Events", ...EVENTS },
        errors: ["store_unavailable"],
      }),
    });

const operation = { tag: "health", scope: "admin", envelope: "admin" } as const;

function shown(canary: CanaryDependencies["canary"]) {
  const status = canary.status();
  if (status === null) return { ...OFF, enabled: canary.isWaiting() };
  const inForce = new Set(canary.suspensions().map(({ endpoint }) => endpoint));
  const endpoints = status.endpoints.map((state) =>
    shownEndpoint(state, inForce.has(state.endpoint)),
  );
  return { enabled: true, ...status, endpoints };
}

const OFF = {
  enabled: false,
  mode: null,
  interval_ms: null,
  round: null,
  spending: null,
  is_filter_probe_weak: false,
  endpoints: [],
};

/** A suspension keeps its clock while the canary only observes, and is not in force then. */
export function shownEndpoint(state: EndpointState, isInForce: boolean) {
  const { suspended, groups: _groups, has_recovered: _recovered, ...rest } = state;
  const { is_reported: _reported, repeat_locale: _locale, last_seen_at: _seen, ...told } = rest;
  const until_at = suspended?.until_at ?? null;
  return { ...told, state: isInForce ? "suspended" : "ok", until_at };
}

/** Reads what a query that fits asks for. */
export async function answerQuery<T extends TObject>(
  query: Checked<T>,
  read: (query: Extract<Checked<T>, { kind: "value" }>["value"]) => Promise<unknown>,
): Promise<Response> {
  if (query.kind === "refused") return refuse("admin", query.refusal);
  return Response.json(await read(query.value));
}

const rounds = (request: Request, { store }: CanaryDependencies) =>
  answerQuery(checkQuery(RoundQuery, request), (query) =>
    store.canary.listRounds({ limit: DEFAULT_LIMIT, ...query }),
  );

const probes = (request: Request, { store }: CanaryDependencies) =>
  answerQuery(checkQuery(ProbeQuery, request), (query) =>
    store.canary.listProbes({ limit: DEFAULT_LIMIT, ...query }),
  );

const suspensions = (request: Request, { store }: CanaryDependencies) =>
  answerQuery(checkQuery(EventQuery, request), (query) =>
    store.canary.listSuspensions({ limit: DEFAULT_LIMIT, ...query }),
  );
