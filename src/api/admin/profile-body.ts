import { type Static, type TSchema, Type } from "@sinclair/typebox";

import { profileFindings } from "../../config/check-profiles.ts";
import { formatPath } from "../../config/problem.ts";
import type { Profile } from "../../config/schema-routing.ts";
import type { Config } from "../../config/schema.ts";
import { quoted, type Refusal } from "../refusal.ts";
import { closed } from "./list.ts";

/** Null and absent are the same; `expected` is what a wrong value is told. */
const nullable = <T extends TSchema>(schema: T, expected: string) =>
  Type.Optional(
    Type.Union([schema, Type.Null()], { description: schema.description ?? "", expected }),
  );

const ParamValue = Type.Union(
  [Type.String(), Type.Number(), Type.Boolean(), Type.Array(Type.String())],
  { expected: "it must be a text, a number, true, false or a list of texts" },
);

const Allow = Type.Object(
  {
    max_price: nullable(
      Type.Number({
        minimum: 0,
        description: "Highest price in USD per million tokens, of input and of output.",
      }),
      "it must be a number of at least 0",
    ),
    providers: nullable(
      Type.Array(Type.String({ minLength: 1 }), {
        description: "Instances or provider types that may serve.",
      }),
      "it must be a list of instances or provider types",
    ),
  },
  closed,
);

/** A profile as the admin API takes it. */
export const NewProfile = Type.Object(
  {
    pool: nullable(
      Type.String({ minLength: 1, description: "Pool that `auto` means." }),
      "it must be the name of a pool",
    ),
    params: Type.Optional(
      Type.Record(Type.String(), ParamValue, {
        description: "Request fields for where the client sets none.",
      }),
    ),
    allow: Type.Optional(Allow),
    verify: nullable(
      Type.Union([Type.Literal("rescue"), Type.Literal("observe"), Type.Literal("off")], {
        description:
          "What follows from a bad answer that the client has not seen: another target answers, a record, or nothing.",
      }),
      "it must be `rescue`, `observe` or `off`",
    ),
    hold_back: nullable(
      Type.Boolean({
        description:
          "Streams wait for their first 64 characters, 300 ms at most, suspicion or not.",
      }),
      "it must be true or false",
    ),
  },
  closed,
);

/** The profile as a config file would hold it. */
export function writtenProfile(profile: Static<typeof NewProfile>): Profile {
  const { pool, params, allow, verify, hold_back } = profile;
  const { max_price = null, providers = null } = allow ?? {};
  return {
    ...(typeof pool === "string" && { pool }),
    params: params ?? {},
    allow: { ...(max_price !== null && { max_price }), ...(providers !== null && { providers }) },
    verify: verify ?? "rescue",
    hold_back: hold_back ?? false,
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
