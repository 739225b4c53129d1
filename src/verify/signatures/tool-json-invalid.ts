import { isObject, parseJson } from "../../protocol/openai/fields.ts";
import type { CalledFunction } from "../answer-facts.ts";
import { fault } from "../verdict.ts";
import { finishOf, type Signature } from "./signature.ts";

/** Ends that explain a call broken off in the middle. */
const CUT = new Set(["length", "content_filter"]);

export const toolJsonInvalid: Signature = {
  name: "tool_json_invalid",
  verdict: "malformed",
  confidence: "certain",
  scope: "target",
  trips: true,
  rule: "The arguments of a function call are no JSON object, and the answer was not cut.",
  spares: "Empty arguments, which mean `{}`; calls cut by `length`; calls of custom tools.",
  isEarly: false,
  needsWhole: true,
  judge: (output) =>
    output.answer.calls.some(isBroken) && !CUT.has(finishOf(output) ?? "")
      ? fault("malformed", "target")
      : null,
};

function isBroken({ arguments: given }: CalledFunction): boolean {
  if (given === null || given === undefined || isObject(given)) return false;
  if (typeof given !== "string") return true;
  return given.trim() !== "" && !isObject(parseJson(given));
}
