import { classifyHttp } from "../../../src/health/classify.ts";
import type { Failure } from "../../../src/health/failure.ts";

export const NOW = Date.UTC(2026, 8, 30, 12);

/** An upstream answer as tests write it; an object body is sent as JSON. */
export interface Answer {
  readonly status?: number | null;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly vendor?: string;
}

export function classify({ status = 200, headers = {}, body = "", vendor }: Answer): Failure {
  return classifyHttp({
    ...(vendor !== undefined && { vendor }),
    status,
    header: (name) => headers[name] ?? null,
    body: typeof body === "string" ? body : JSON.stringify(body),
    now: NOW,
  });
}

export interface Row extends Answer {
  readonly report: string;
  readonly wants: Partial<Failure>;
}
