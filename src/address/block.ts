import { type Static, Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";

import { likelyName } from "../lib/nearest.ts";
import { MAX_SPEC_LENGTH, quote } from "./spec-fault.ts";

const name = (description: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: MAX_SPEC_LENGTH, description }));

const EFFORTS = ["none", "minimal", "low", "medium", "high", "xhigh", "max"] as const;

/** Whether a word says how much to reason. */
export function isEffort(word: string): boolean {
  return EFFORTS.some((effort) => effort === word);
}

/** The `veriroute` member of a request body: it overrides the model string and never goes upstream. */
export const RouteBlock = Type.Object(
  {
    target: name("A spec or a bare model name; comes before `pool` and `lane`."),
    pool: name("Name of a pool; comes before `lane`."),
    lane: name("Name of a lane."),
    profile: name("Name of a profile."),
    complexity: name("How hard the request is: a lane's name, else read as `effort`."),
    effort: Type.Optional(
      Type.Union(
        EFFORTS.map((effort) => Type.Literal(effort)),
        { description: "How much reasoning to ask for where the request does not say itself." },
      ),
    ),
    session: name("Keeps a conversation on one target; kept only as a hash."),
    routing: Type.Optional(
      Type.Object({}, { additionalProperties: false, description: "Settings of this request." }),
    ),
  },
  { additionalProperties: false },
);
export type RouteBlock = Static<typeof RouteBlock>;

export type BlockReading =
  | { readonly kind: "ok"; readonly block: RouteBlock }
  /** `param` is the path of the key at fault, such as `veriroute.pool`. */
  | { readonly kind: "problem"; readonly param: string; readonly message: string };

const ABSENT: BlockReading = { kind: "ok", block: {} };

/** Checks the `veriroute` member of a body; absent and null, also of its members, ask for nothing. */
export function readBlock(value: unknown): BlockReading {
  if (value === undefined || value === null) return ABSENT;
  if (typeof value !== "object" || Array.isArray(value)) {
    return problem("veriroute", "`veriroute` must be an object");
  }
  const given = Object.fromEntries(Object.entries(value).filter(([, member]) => member !== null));
  const unknown = Object.keys(given).find((key) => !Object.hasOwn(RouteBlock.properties, key));
  if (unknown !== undefined) return unknownKey(unknown);
  if (Value.Check(RouteBlock, given)) return { kind: "ok", block: given };
  const path = (Value.Errors(RouteBlock, given).First()?.path ?? "").slice(1).replaceAll("/", ".");
  const param = `veriroute.${path}`.slice(0, 200);
  return problem(param, `${quote(param)} ${wanted(path)}`);
}

function problem(param: string, message: string): BlockReading {
  return { kind: "problem", param, message };
}

function unknownKey(key: string): BlockReading {
  const known = Object.keys(RouteBlock.properties);
  const nearest = likelyName(key, known);
  const hint =
    nearest === undefined ? `known keys: ${known.join(", ")}` : `did you mean \`${nearest}\`?`;
  return problem("veriroute", `\`veriroute\` has no key ${quote(key)}; ${hint}`);
}

function wanted(path: string): string {
  if (path === "effort") return `must be one of ${EFFORTS.join(", ")}`;
  if (path === "routing") return "must be an object";
  if (path.startsWith("routing.")) return "is no setting; leave it out";
  return `must be text of 1 to ${MAX_SPEC_LENGTH} characters`;
}
