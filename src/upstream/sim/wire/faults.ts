import type { JsonObject } from "../../../protocol/openai/fields.ts";
import type { ModelName } from "../models.ts";
import type { ParamValues } from "../params.ts";
import { errorObject } from "../vendor-errors.ts";

/** A fault of the connection or of the bytes, whatever the model says. `after` counts tokens. */
export type TransportFault =
  | {
      readonly kind: "stall";
      readonly at: "headers" | "first_token" | "middle";
      readonly after: number;
    }
  | { readonly kind: "cut"; readonly end: "reset" | "eof" | "done"; readonly after: number }
  | { readonly kind: "broken_json"; readonly after: number }
  | {
      readonly kind: "error200";
      readonly after: number;
      /** In place of a whole answer. */
      readonly answer: (whole: JsonObject) => JsonObject;
      /** In place of a chunk; `ending` is one that finishes with `error`. */
      readonly event: (ending: JsonObject) => JsonObject;
    };

/** The transport fault that `model` stands for; null if its faults are in what it says. */
export function transportFault(model: ModelName, params: ParamValues): TransportFault | null {
  switch (model) {
    case "stall": {
      const form = params.text("form");
      const at = form === "headers" || form === "first_token" ? form : "middle";
      return { kind: "stall", at, after: at === "middle" ? params.number("after") : 0 };
    }
    case "cut": {
      const form = params.text("form");
      const end = form === "reset" || form === "done" ? form : "eof";
      return { kind: "cut", end, after: params.number("after") };
    }
    case "badjson":
      return { kind: "broken_json", after: params.number("after") };
    case "error200":
      return errorInside(params);
    default:
      return null;
  }
}

function errorInside(params: ParamValues): TransportFault {
  const error = errorObject(params);
  const beside = params.text("form") === "openrouter";
  return {
    kind: "error200",
    after: params.number("after"),
    answer: () => error,
    event: (ending) => (beside ? { ...ending, ...error } : error),
  };
}
