import { type Static, type TSchema, Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";

import { Reason } from "../../routing/plan.ts";
import type { Benched } from "./report.ts";

/** The part of `GET /v1/routing/health` that is shown; more may be there. */
const Health = Type.Object({
  targets: Type.Array(
    Type.Object({ target: Type.String(), eligible: Type.Boolean(), reasons: Type.Array(Reason) }),
  ),
});

const TIMEOUT_MS = 10_000;

/** Asks the running router what a person could ask it. */
export function routerState(url: string, signal: AbortSignal) {
  return {
    async benched(): Promise<readonly Benched[]> {
      const { targets } = await get(`${url}/v1/routing/health`, Health, signal);
      return targets
        .filter(({ eligible }) => !eligible)
        .map(({ target, reasons }) => ({ target, reasons }));
    },
    decision: (id: string) => get(decisionUrl(url, id), Type.Unknown(), signal),
  };
}

export function decisionUrl(url: string, id: string): string {
  return `${url}/admin/v1/decisions/${id}`;
}

async function get<T extends TSchema>(
  url: string,
  schema: T,
  signal: AbortSignal,
): Promise<Static<T>> {
  const response = await fetch(url, {
    signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
    proxy: false,
  });
  const body: unknown = await response.json();
  if (response.ok && Value.Check(schema, body)) return body;
  throw new Error(`${url} answered ${response.status} with something else than expected`);
}
