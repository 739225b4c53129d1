import { nearestNames } from "../../lib/nearest.ts";
import { MODELS } from "./models.ts";

/** An error answer: what a vendor would send instead of a completion. */
export interface Problem {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface ErrorFields {
  readonly message: string;
  readonly type: string;
  readonly code: string | null;
  readonly param: string | null;
}

/** OpenAI's envelope, members in its order. */
export function problem(status: number, fields: ErrorFields, headers = {}): Problem {
  const { message, type, param, code } = fields;
  return {
    status,
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify({ error: { message, type, param, code } }),
  };
}

/** The simulator's own refusal of a request it cannot read. */
export function badRequest(message: string, param: string | null = null): Problem {
  return problem(400, { message, type: "invalid_request_error", param, code: null });
}

export function badParam(message: string, param: string): Problem {
  return problem(400, { message, type: "invalid_request_error", param, code: "invalid_value" });
}

export function notFound(message: string): Problem {
  return problem(404, { message, type: "invalid_request_error", param: null, code: "not_found" });
}

export function wrongMethod(message: string, allow: string): Problem {
  const fields = { message, type: "invalid_request_error", param: null, code: null };
  return problem(405, fields, { allow });
}

export function unknownModel(name: string): Problem {
  const shown = name.length > 64 ? `${name.slice(0, 64)}…` : name;
  const names = Object.keys(MODELS);
  const near = nearestNames(name, names, 3).map((known) => `\`${known}\``);
  const hint = near.length === 0 ? "" : ` Nearest: ${near.join(", ")}.`;
  return problem(404, {
    message: `The model \`${shown}\` does not exist.${hint} The simulator serves ${names.join(", ")}.`,
    type: "invalid_request_error",
    param: "model",
    code: "model_not_found",
  });
}

export function wrongEndpoint(model: string, endpoints: readonly string[]): Problem {
  const message = `The model \`${model}\` is not served here. Its endpoints: ${endpoints.join(", ")}.`;
  const fields = { message, type: "invalid_request_error", param: "model", code: null };
  return problem(404, fields);
}
