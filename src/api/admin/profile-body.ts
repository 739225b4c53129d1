import { type Static, type TSchema, Type } from "@sinclair/typebox";

import { profileFindings } from "../../config/check-profiles.ts";
import { formatPath } from "../../config/problem.ts";
import type { Config, Profile } from "../../config/schema.ts";
import { quoted, type Refusal } from "../refusal.ts";
import { closed } from "./list.ts";

const optional = <T extends TSchema>(schema: T) => Type.Optional(Type.Union([schema, Type.Null()]));

const ParamValue = Type.Union(
  [Type.String(), Type.Number(), Type.Boolean(), Type.Array(Type.String())],
  { expected: "it must be a text, a number, true, false or a list of texts" },
);

/** A profile as the admin API takes it; null and absent are the same. */
export const NewProfile = Type.Object(
  {
    pool: optional(Type.String({ minLength: 1, description: "Pool that `auto` means." })),
    params: optional(
      Type.Record(Type.String(), ParamValue, {
        description: "Request fields for where the client sets none.",
      }),
    ),
    allow: optional(
      Type.Object(
        {
          max_price: optional(
            Type.Number({
              minimum: 0,
              description: "Highest price in USD per million tokens, of input and of output.",
            }),
          ),
          providers: optional(
            Type.Array(Type.String({ minLength: 1 }), {
              description: "Instances or provider types that may serve.",
            }),
          ),
        },
        closed,
      ),
    ),
  },
  closed,
);

/** The profile as a config file would hold it. */
export function writtenProfile({ pool, params, allow }: Static<typeof NewProfile>): Profile {
  const { max_price = null, providers = null } = allow ?? {};
  return {
    ...(typeof pool === "string" && { pool }),
    params: params ?? {},
    allow: { ...(max_price !== null && { max_price }), ...(providers !== null && { providers }) },
  };
}

const NAME = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/;

/** Why a profile cannot be called so. */
export function nameProblem(name: string): Refusal | undefined {
  if (NAME.test(name)) return undefined;
  const message = `${quoted(name)} cannot name a profile: use letters, digits, \`-\`, \`_\` and \`.\`, at most 64.`;
  return { code: "invalid_value", message, param: "name" };
}

/** What the profile refers to and does not exist, all of it at once. */
export function profileProblem(profile: Profile, config: Config): Refusal | undefined {
  const findings = profileFindings(profile, { config, isBroken: () => false });
  const [first] = findings;
  if (first === undefined) return undefined;
  const lines = findings.map(({ path, message, hint }) =>
    [`\`${formatPath(path)}\`: ${message}`, hint].filter(Boolean).join("; "),
  );
  return { code: "invalid_value", message: lines.join(". "), param: formatPath(first.path) };
}
