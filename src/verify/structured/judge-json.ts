import { isObject, parseJson } from "../../protocol/openai/fields.ts";
import type { AskedFormat } from "../prompt/request-facts.ts";
import { unfenced } from "../text/code-fence.ts";
import { checkSchema } from "./check-schema.ts";

/** How a text keeps the promise of `response_format`. */
export type JsonJudgement =
  | { readonly kind: "fits" | "invalid" | "fenced" | "not_judged" }
  | { readonly kind: "violates"; readonly keyword: string };

/** The text is taken as it is: what a repair would make of it is not what the client gets. */
export function judgeJson(text: string, format: AskedFormat): JsonJudgement {
  const value = parseJson(text);
  if (value === undefined) {
    const inner = unfenced(text);
    const isFenced = inner !== null && parseJson(inner) !== undefined;
    return { kind: isFenced ? "fenced" : "invalid" };
  }
  if (format.kind === "json_object" && !isObject(value)) {
    return { kind: "violates", keyword: "type" };
  }
  if (format.schema === null) return { kind: "fits" };
  const checked = checkSchema(value, format.schema);
  return checked.kind === "violates" ? checked : { kind: checked.kind };
}
