import { quote } from "../address/spec-fault.ts";
import { RESERVED_NAMES } from "../address/spec.ts";
import type { ProviderType } from "../catalog/provider-type.ts";
import { PROVIDER_TYPES, providerType } from "../catalog/provider-types.ts";
import { likelyName } from "../lib/nearest.ts";
import { baseUrlProblem } from "./base-url.ts";
import { keyProblems } from "./check-server.ts";
import { type CheckInput, type Findings, joinFindings } from "./check.ts";
import type { Env } from "./paths.ts";
import type { Finding, Path } from "./problem.ts";
import type { Provider } from "./schema-providers.ts";

export const TYPE_IDS = PROVIDER_TYPES.map(({ id }) => id);

/** Headers that belong to the connection or to the router. */
const OWN_HEADERS = new Set(
  "connection content-encoding content-length content-type expect host keep-alive te trailer transfer-encoding upgrade via".split(
    " ",
  ),
);

export function checkProviders(input: CheckInput): Findings {
  const entries = Object.entries(input.config.providers);
  return joinFindings([
    { problems: duplicateNames(entries.map(([name]) => name)), warnings: [] },
    ...entries.map(([name, provider]) => checkProvider(name, provider, input)),
  ]);
}

function checkProvider(name: string, provider: Provider, input: CheckInput): Findings {
  const path = ["providers", name];
  const typeIsBroken = input.isBroken([...path, "type"]);
  const type = typeIsBroken ? undefined : providerType(provider.type ?? name);
  return {
    problems: [
      ...reservedName(path),
      ...(typeIsBroken ? [] : typeProblems(path, provider)),
      ...urlProblems(path, provider, { type, ...input }),
      ...keyProblems([...path, "api_key"], provider.api_key),
      ...headerProblems(path, provider.headers),
    ],
    warnings: missingCredential(path, provider, { type, ...input }),
  };
}

function reservedName(path: Path): Finding[] {
  const name = path.at(-1) ?? "";
  if (!RESERVED_NAMES.has(name.toLowerCase())) return [];
  const message = `\`${name}\` has a meaning of its own in model names`;
  return [{ path, message, hint: "choose another name" }];
}

/** Model strings do not tell upper from lower case before the colon. */
function duplicateNames(names: readonly string[]): Finding[] {
  const first = new Map<string, string>();
  return names.flatMap((name) => {
    const earlier = first.get(name.toLowerCase());
    if (earlier === undefined) {
      first.set(name.toLowerCase(), name);
      return [];
    }
    const message = `differs from \`${earlier}\` only by upper and lower case`;
    return [{ path: ["providers", name], message, hint: "rename one of the two" }];
  });
}

function typeProblems(path: Path, { type }: Provider): Finding[] {
  const name = (path.at(-1) ?? "").toLowerCase();
  const namesake = providerType(name);
  if (type === undefined) {
    if (namesake !== undefined) return [];
    const message = `\`${name}\` is no provider type, so it needs a \`type\``;
    const near = likelyName(name, TYPE_IDS);
    const guess = near?.[0] === name[0] ? `, or did you mean \`[providers.${near}]\`?` : "";
    return [{ path, message, hint: `add \`type = "openai-compatible"\`${guess}` }];
  }
  if (providerType(type) === undefined) {
    const near = likelyName(type, TYPE_IDS) ?? "openai-compatible";
    const message = `${quote(type)} is no provider type`;
    return [{ path: [...path, "type"], message, hint: `did you mean \`${near}\`?` }];
  }
  if (namesake === undefined || namesake === providerType(type)) return [];
  const message = `an instance of type \`${type}\` cannot be named like the type \`${namesake.id}\``;
  return [{ path: [...path, "type"], message, hint: "rename the instance, or leave out `type`" }];
}

interface Known {
  readonly type: ProviderType | undefined;
  readonly env: Env;
}

function urlProblems(path: Path, { base_url }: Provider, { type, env }: Known): Finding[] {
  const urlPath = [...path, "base_url"];
  if (base_url !== undefined) {
    const problem = baseUrlProblem(base_url);
    return problem === undefined ? [] : [{ path: urlPath, ...problem }];
  }
  if (type === undefined || type.base_url !== null) return [];
  if (type.base_url_env !== null && env[type.base_url_env]) return [];
  const message = `an instance of type \`${type.id}\` needs a \`base_url\``;
  return [
    { path: urlPath, message, hint: 'add it, as in `base_url = "http://127.0.0.1:8000/v1"`' },
  ];
}

function headerProblems(path: Path, headers: Provider["headers"]): Finding[] {
  return Object.entries(headers).flatMap(([name, value]): Finding[] => {
    const at = [...path, "headers", name];
    if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name)) {
      return [{ path: at, message: `${quote(name)} is no header name` }];
    }
    if (OWN_HEADERS.has(name.toLowerCase())) {
      return [{ path: at, message: "is set by the router itself", hint: "remove it" }];
    }
    if (value === "")
      return [{ path: at, message: "is empty", hint: "give it a value or remove it" }];
    const sendable = /^[\t\x20-\x7E\u00A0-\u00FF]*$/.test(value);
    return sendable ? [] : [{ path: at, message: "holds a character that no header can carry" }];
  });
}

/** Only the environment can tell whether a key is there, so it may come later. */
function missingCredential(path: Path, provider: Provider, { type, env }: Known): Finding[] {
  const named = Object.keys(provider.headers).some((name) =>
    /^(authorization|x-api-key|api-key)$/i.test(name),
  );
  if (provider.api_key !== undefined || provider.local || named) return [];
  const message = type === undefined ? undefined : credentialMessage(type, env);
  return message === undefined ? [] : [{ path: [...path, "api_key"], ...message }];
}

/** What a type lacks to be used, if it needs a credential and the environment has none. */
export function credentialMessage(
  type: ProviderType,
  env: Env,
): Pick<Finding, "message" | "hint"> | undefined {
  const optional = type.auth === "none" || type.local_port !== null || type.env.length === 0;
  if (optional || type.env.some((name) => env[name])) return undefined;
  const variables = type.env.map((name) => `\`${name}\``).join(" or ");
  return { message: "no credential", hint: `set it, or the environment variable ${variables}` };
}
