/** What an output was judged to be. Only `ok` says that nothing was found. */
export type VerdictName =
  | "ok"
  | "suspect"
  | "unverifiable"
  | "client_capped"
  | "mangled"
  | "malformed"
  | "truncated"
  | "leak"
  | "degenerate"
  | "refusal";

/** Whose breaker a finding counts against. `provider` is the instance: its pipeline, not its model. */
export type TripScope = "target" | "provider";

/** The judgement on one output. Holds no text of prompt or output: it may be stored and shown. */
export interface Verdict {
  readonly verdict: VerdictName;
  /** The pattern that produced the verdict; null if none did. */
  readonly signature: string | null;
  /** The fault can be told from the pipeline's or the client's own. */
  readonly attributable: boolean;
  /** Counts as a bad event of `scope`; opens no breaker alone. */
  readonly trips: boolean;
  readonly scope: TripScope | null;
  /** A fixed word or a number of ours that narrows the signature down. */
  readonly detail: string | null;
}

/** What a signature says of an output it hits. */
export type Finding = Omit<Verdict, "signature">;

const NOTHING = { attributable: false, trips: false, scope: null, detail: null } as const;

export const OK: Verdict = { verdict: "ok", signature: null, ...NOTHING };

export const UNVERIFIABLE: Verdict = { verdict: "unverifiable", signature: null, ...NOTHING };

/** A fault of the model or its provider that counts against `scope`. */
export function fault(
  verdict: VerdictName,
  scope: TripScope,
  detail: string | null = null,
): Finding {
  return { verdict, scope, attributable: true, trips: true, detail };
}

/** Recorded against `scope`, never counted. */
export function diagnostic(
  verdict: VerdictName,
  scope: TripScope,
  detail: string | null = null,
): Finding {
  return { verdict, scope, attributable: true, trips: false, detail };
}

/** Explained by the client, or too weak to blame anyone for. */
export function excused(verdict: VerdictName, detail: string | null = null): Finding {
  return { ...NOTHING, verdict, detail };
}
