import type { CanaryEventKind, SuspensionRow } from "../rows.ts";
import type { EndpointState } from "./state.ts";

/** Where and when something happened. */
export interface Occasion {
  /** Epoch ms. */
  readonly at: number;
  /** Null for what a person did. */
  readonly round_id: string | null;
}

type Details = Partial<Pick<SuspensionRow, "detail" | "is_news" | "forgives" | "until_at">>;

/** The row of what happened to an endpoint, which is in the given state afterwards. */
export function eventRow(
  kind: CanaryEventKind,
  state: EndpointState,
  { at, round_id }: Occasion,
  details: Details = {},
): SuspensionRow {
  const { endpoint, instance, model, host, level, suspended } = state;
  return {
    id: `${kind} ${endpoint} ${at}`,
    kind,
    endpoint,
    instance,
    model,
    host,
    at,
    round_id,
    level,
    until_at: suspended?.until_at ?? null,
    detail: null,
    is_news: true,
    forgives: false,
    ...details,
  };
}
