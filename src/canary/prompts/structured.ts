import type { JsonObject } from "../../protocol/openai/fields.ts";
import type { AskedFormat } from "../../verify/prompt/request-facts.ts";
import { type PromptChoice, turnOf } from "./choose-prompt.ts";

const SCHEMA: JsonObject = {
  type: "object",
  properties: {
    name: { type: "string" },
    age: { type: "integer" },
    level: { type: "string", enum: ["basic", "plus", "family"] },
    interests: { type: "array", items: { type: "string" } },
  },
  required: ["name", "age", "level", "interests"],
  additionalProperties: false,
};

const NAMES = ["Ana", "Tomas", "Ingrid", "Femi", "Yuki", "Clara", "Omar"];
const INTERESTS = [
  "chess",
  "sailing",
  "baking",
  "birds",
  "old films",
  "climbing",
  "pottery",
  "maps",
];
const LEVELS = ["basic", "plus", "family"];
const FRAMES = [
  "Please turn this note from the front desk into a member entry:",
  "Fill in the member form from this message:",
  "A new member has signed up. Enter the details:",
  "Put this registration into our usual format:",
];

/** A form to fill in; every value is in the text, and which of them are right is not judged. */
export function structuredPrompt(choice: PromptChoice): {
  readonly prompt: string;
  readonly format: AskedFormat;
} {
  const pick = (from: readonly string[], step: number) =>
    from[Math.floor(turnOf(choice, 5040) / step) % from.length] ?? "";
  const [first, second] = [pick(INTERESTS, 1), pick(INTERESTS.toReversed(), 3)];
  const also = first === second ? "long walks" : second;
  const age = 19 + (turnOf(choice, 61) % 60);
  const prompt =
    `${pick(FRAMES, 1)} ${pick(NAMES, 1)}, ${age} years old, takes the ${pick(LEVELS, 2)} membership ` +
    `and is interested in ${first} and ${also}. Answer with JSON only, with the fields name, age, level ` +
    "(basic, plus or family) and interests (a list).";
  return { prompt, format: { kind: "json_schema", schema: SCHEMA } };
}
