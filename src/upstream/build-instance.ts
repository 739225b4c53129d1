import type { ProviderType } from "../catalog/provider-type.ts";
import { baseUrlProblem, isPrivateHost } from "../config/base-url.ts";
import type { Env } from "../config/paths.ts";
import type { Provider } from "../config/schema-providers.ts";
import type { Routing } from "../config/schema-routing.ts";
import { parseDuration } from "../lib/durations.ts";
import { baseUrlFromHost, normalBaseUrl } from "./base-url.ts";
import type { Instance, InstanceProblem, InstanceTimeouts } from "./instance.ts";
import { proxyRule } from "./proxy.ts";

export interface InstanceParts {
  readonly name: string;
  readonly type: ProviderType;
  /** Null for an instance that no section describes. */
  readonly section: Provider | null;
  readonly source: Instance["source"];
  readonly config: { readonly routing: Routing };
  readonly env: Env;
}

/** Puts an instance together; what the environment lacks or spoils becomes its `problem`. */
export function buildInstance(parts: InstanceParts): Instance {
  const { name, type, source, config, env } = parts;
  const section = { ...NO_SECTION, ...parts.section };
  const { base_url, problem } = baseUrlOf(parts);
  const credential = section.api_key?.trim() || firstSet(env, type.env)?.value || null;
  const direct = section.local || isSimulated(type) || isOnSite(base_url);
  return {
    name,
    type,
    base_url,
    credential,
    source,
    local: section.local,
    direct,
    ...(direct ? {} : proxyOf(base_url, env)),
    inline_reasoning: section.inline_reasoning,
    headers: section.headers,
    configured_models: section.models ?? null,
    default_model: section.default_model ?? type.default_model,
    timeouts: timeoutsOf(section, config.routing),
    problem: problem ?? credentialProblem(parts, { credential, direct }),
  };
}

/** What an instance is that no section describes. */
const NO_SECTION: Provider = { local: false, inline_reasoning: false, headers: {} };

function isOnSite(base_url: string): boolean {
  const url = URL.parse(base_url);
  return url !== null && isPrivateHost(url.hostname);
}

function proxyOf(base_url: string, env: Env): Pick<Instance, "proxy"> {
  const url = URL.parse(base_url);
  const rule = url === null ? undefined : proxyRule(url, env);
  return rule?.kind === "proxy" ? { proxy: rule.url } : {};
}

/** An environment variable with its value. */
export interface Setting {
  readonly name: string;
  readonly value: string;
}

/** The first of `names` that is set to more than blanks, with its value trimmed. */
export function firstSet(env: Env, names: readonly string[]): Setting | undefined {
  for (const name of names) {
    const value = (env[name] ?? "").trim();
    if (value !== "") return { name, value };
  }
  return undefined;
}

interface ResolvedBaseUrl {
  /** Empty if there is none that may be called. */
  readonly base_url: string;
  readonly problem: InstanceProblem | null;
}

function baseUrlOf({ name, type, section, env }: InstanceParts): ResolvedBaseUrl {
  const given = section?.base_url ?? (isSimulated(type) ? simulatorUrl(name) : undefined);
  const moved = type.base_url_env === null ? undefined : firstSet(env, [type.base_url_env]);
  if (given === undefined && moved !== undefined) return movedBaseUrl(type, moved);
  const text = given ?? type.base_url;
  const url = URL.parse(text ?? "");
  if (url !== null) return { base_url: normalBaseUrl(url), problem: null };
  const variable = type.base_url_env === null ? "" : ` or \`${type.base_url_env}\``;
  const message = `\`${name}\` has no base URL: set \`base_url\` in \`[providers.${name}]\`${variable}`;
  return { base_url: "", problem: { code: "missing_base_url", message } };
}

/** A variable is checked here, as the config checks its own base URLs. */
function movedBaseUrl(type: ProviderType, { name, value }: Setting): ResolvedBaseUrl {
  const text = type.base_url === null ? value : baseUrlFromHost({ value, standard: type.base_url });
  const wrong = baseUrlProblem(text);
  const url = URL.parse(text);
  if (wrong === undefined && url !== null) return { base_url: normalBaseUrl(url), problem: null };
  const hint = wrong?.hint === undefined ? "" : `; ${wrong.hint}`;
  const message = `\`${name}\`: ${wrong?.message ?? "is no URL"}${hint}`;
  return { base_url: "", problem: { code: "bad_base_url", message } };
}

const isSimulated = (type: ProviderType) => type.id === "sim";

/** The simulator tells its instances apart by host, as the network does. */
const simulatorUrl = (name: string) =>
  name.toLowerCase() === "sim" ? "http://sim.invalid/v1" : `http://${name}.sim.invalid/v1`;

interface CredentialFacts {
  readonly credential: string | null;
  readonly direct: boolean;
}

/** A server of this site's own may need no credential, whatever its vendor's cloud wants. */
function credentialProblem(
  { name, type, section }: InstanceParts,
  { credential, direct }: CredentialFacts,
): InstanceProblem | null {
  const variables = type.env.map((variable) => `\`${variable}\``);
  const setting = section === null ? [] : [`\`api_key\` in \`[providers.${name}]\``];
  const ways = [...variables, ...setting].join(" or ");
  if (credential !== null) {
    if (/^[\x21-\x7e]+$/.test(credential)) return null;
    const message = `the credential of \`${name}\` holds a blank or a character beyond ASCII: correct ${ways}`;
    return { code: "bad_credential", message };
  }
  const inHeader = Object.keys(section?.headers ?? {}).some((header) => CREDENTIAL.test(header));
  const isOptional = type.auth === "none" || type.local_port !== null || variables.length === 0;
  if (isOptional || direct || inHeader) return null;
  return { code: "missing_credential", message: `\`${name}\` has no credential: set ${ways}` };
}

/** Headers by which a config may give the credential itself. */
const CREDENTIAL = /^(authorization|x-api-key|api-key)$/i;

function timeoutsOf(section: Provider, routing: Routing): InstanceTimeouts {
  const limit = (key: keyof Routing & keyof Provider) => {
    const text = section[key] ?? routing[key];
    const parsed = parseDuration(text);
    if (parsed === undefined) throw new Error(`\`${key}\` is no duration: \`${text}\``);
    return parsed;
  };
  return {
    connect_ms: limit("connect_timeout"),
    first_byte_ms: limit("first_byte_timeout"),
    first_token_ms: limit("first_token_timeout"),
    response_ms: limit("response_timeout"),
    idle_ms: limit("idle_timeout"),
  };
}
