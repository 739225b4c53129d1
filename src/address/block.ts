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

/** What of the config's `[routing]` a request may set for itself, within the bounds it has there. */
const RequestRouting = Type.Object(
  {
    max_attempts: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 20, description: "Distinct targets tried." }),
    ),
    retries: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 1, description: "Further calls to the same target." }),
    ),
    on_refusal: Type.Optional(
      Type.Union([Type.Literal("return"), Type.Literal("failover")], {
        description: "Whether a refusal goes to the client or to the next target.",
      }),
    ),
  },
  {
    additionalProperties: false,
    description: "Settings of this request; they beat those of the config.",
  },
);

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
    routing: Type.Optional(RequestRouting),
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
  if (!isObject(value)) return problem("veriroute", "`veriroute` must be an object");
  const given = withoutNulls(value);
  const { routing } = given;
  if (isObject(routing)) given["routing"] = withoutNulls(routing);
  const unknown =
    unknownKey("veriroute", given, RouteBlock.properties) ??
    unknownKey("veriroute.routing", given["routing"], RequestRouting.properties);
  if (unknown !== undefined) return unknown;
  if (Value.Check(RouteBlock, given)) return { kind: "ok", block: given };
  const path = (Value.Errors(RouteBlock, given).First()?.path ?? "").slice(1).replaceAll("/", ".");
  const param = `veriroute.${path}`.slice(0, 200);
  return problem(param, `${quote(param)} ${wanted(path)}`);
}

function problem(param: string, message: string): BlockReading {
  return { kind: "problem", param, message };
}

function withoutNulls(value: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== null));
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function unknownKey(param: string, given: unknown, properties: object): BlockReading | undefined {
  if (!isObject(given)) return undefined;
  const key = Object.keys(given).find((member) => !Object.hasOwn(properties, member));
  if (key === undefined) return undefined;
  const known = Object.keys(properties);
  const nearest = likelyName(key, known);
  const hint =
    nearest === undefined ? `known keys: ${known.join(", ")}` : `did you mean \`${nearest}\`?`;
  return problem(param, `\`${param}\` has no key ${quote(key)}; ${hint}`);
}

function wanted(path: string): string {
  return WANTED.get(path) ?? `must be text of 1 to ${MAX_SPEC_LENGTH} characters`;
}

const { max_attempts, retries } = RequestRouting.properties;

const WANTED: ReadonlyMap<string, string> = new Map([
  ["effort", `must be one of ${EFFORTS.join(", ")}`],
  ["routing", "must be an object"],
  ["routing.max_attempts", wholeNumber(max_attempts)],
  ["routing.retries", wholeNumber(retries)],
  ["routing.on_refusal", "must be `return` or `failover`"],
]);

function wholeNumber({ minimum, maximum }: { minimum?: number; maximum?: number }): string {
  return `must be a whole number from ${minimum} to ${maximum}`;
}
