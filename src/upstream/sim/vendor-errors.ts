import { type ErrorFields, type Problem, problem } from "./errors.ts";
import type { ParamValues } from "./params.ts";

/** What vendors say with each status; any other status speaks for itself. */
const BY_STATUS: Readonly<Record<number, Omit<ErrorFields, "param">>> = {
  400: { message: "Invalid request.", type: "invalid_request_error", code: null },
  401: {
    message: "Incorrect API key provided.",
    type: "invalid_request_error",
    code: "invalid_api_key",
  },
  402: {
    message: "Insufficient balance: add credits to this account.",
    type: "insufficient_quota",
    code: "insufficient_credits",
  },
  403: {
    message: "Your key has no permission for this operation.",
    type: "permission_error",
    code: "permission_denied",
  },
  404: {
    message: "The model does not exist or you do not have access to it.",
    type: "invalid_request_error",
    code: "model_not_found",
  },
  408: { message: "Request timed out.", type: "timeout", code: "request_timeout" },
  413: {
    message: "Request body is too large.",
    type: "invalid_request_error",
    code: "request_too_large",
  },
  422: {
    message: "Request could not be processed: a field has the wrong type.",
    type: "invalid_request_error",
    code: null,
  },
  429: {
    message: "Rate limit reached: too many requests in this minute.",
    type: "requests",
    code: "rate_limit_exceeded",
  },
  500: {
    message: "The server had an error while processing your request.",
    type: "server_error",
    code: null,
  },
  502: { message: "Bad gateway.", type: "server_error", code: null },
  503: {
    message: "The engine is currently overloaded.",
    type: "server_error",
    code: "overloaded",
  },
  504: { message: "Gateway timeout.", type: "server_error", code: null },
};

interface Form {
  readonly status: number;
  readonly fields: ErrorFields;
}

/** The `form`s of `status` beyond `plain` and `html`. */
const BY_FORM: Readonly<Record<string, Form>> = {
  context_length: {
    status: 400,
    fields: {
      message: "This model's maximum context length is 8192 tokens; your messages hold more.",
      type: "invalid_request_error",
      param: "messages",
      code: "context_length_exceeded",
    },
  },
  unsupported_parameter: {
    status: 400,
    fields: {
      message: "Unsupported parameter: 'temperature' is not supported with this model.",
      type: "invalid_request_error",
      param: "temperature",
      code: "unsupported_parameter",
    },
  },
  model_not_found: { status: 404, fields: { ...fieldsOf(404), param: "model" } },
  quota: {
    status: 429,
    fields: {
      message: "You exceeded your current quota; check your plan and billing details.",
      type: "insufficient_quota",
      param: null,
      code: "insufficient_quota",
    },
  },
};

/** The usual status of forms whose bodies are not OpenAI's. */
const OTHER_STATUS: Readonly<Record<string, number>> = { moderation: 403, html: 502 };

function fieldsOf(status: number): ErrorFields {
  const fallback = { message: `Request failed with status ${status}.`, type: "error", code: null };
  return { ...(BY_STATUS[status] ?? fallback), param: null };
}

/** The answer of the model `status`, whose params these are. */
export function statusProblem(params: ParamValues): Problem {
  const form = params.text("form");
  const known = BY_FORM[form];
  const status = params.numberOr("code", known?.status ?? OTHER_STATUS[form] ?? 500);
  const headers = retryAfter(params);
  if (form === "html") return htmlPage(status, headers);
  if (form === "moderation") return moderation(status, headers);
  if (status === 529) return overloaded(headers);
  return problem(status, known?.fields ?? fieldsOf(status), headers);
}

function retryAfter(params: ParamValues): Readonly<Record<string, string>> {
  const seconds = params.numberOr("retry_after", -1);
  return seconds < 0 ? {} : { "retry-after": String(Math.ceil(seconds)) };
}

/** 529 is Anthropic's, and so is the shape of its body. */
function overloaded(headers: Readonly<Record<string, string>>): Problem {
  const error = { type: "overloaded_error", message: "Overloaded" };
  return {
    status: 529,
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify({ type: "error", error, request_id: "req_simulated" }),
  };
}

function moderation(status: number, headers: Readonly<Record<string, string>>): Problem {
  const metadata = { reasons: ["violence"], flagged_input: "…", provider_name: "Simulator" };
  const error = { code: status, message: "Input was flagged by moderation.", metadata };
  return {
    status,
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify({ error }),
  };
}

/** What a gateway in front of a dead server sends. */
export function htmlPage(status: number, headers = {}): Problem {
  const title = `${status} ${status === 200 ? "Maintenance" : "Gateway error"}`;
  return {
    status,
    headers: { "content-type": "text/html; charset=utf-8", ...headers },
    body: `<!DOCTYPE html>\n<html><head><title>${title}</title></head><body><h1>${title}</h1><hr>nginx</body></html>\n`,
  };
}

/** The error object of the model `error200`. */
export function errorObject(params: ParamValues): { error: Readonly<Record<string, unknown>> } {
  const code = params.number("code");
  const { message, type } = fieldsOf(code);
  if (params.text("form") === "openrouter") {
    return { error: { code, message, metadata: { provider_name: "Simulator" } } };
  }
  return { error: { message, type, param: null, code: BY_STATUS[code]?.code ?? String(code) } };
}
