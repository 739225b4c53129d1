import type { Env } from "../config/paths.ts";
import type { Instance } from "./instance.ts";
import { isExempt } from "./no-proxy.ts";

export type ProxyRule =
  | { readonly kind: "none" }
  | { readonly kind: "proxy"; readonly url: string; readonly variable: string }
  | { readonly kind: "unusable"; readonly variable: string; readonly reason: string };

const NONE: ProxyRule = { kind: "none" };

/** The proxy the environment names for a URL. Whether an instance may use one is the caller's. */
export function proxyRule(target: URL, env: Env): ProxyRule {
  const variable = proxyVariable(target.protocol, env);
  if (variable === undefined || isExempt(target, env["no_proxy"] ?? env["NO_PROXY"] ?? "")) {
    return NONE;
  }
  const value = (env[variable] ?? "").trim();
  const url = URL.parse(value.includes("://") ? value : `http://${value}`);
  if (url === null) return { kind: "unusable", variable, reason: "is not a URL" };
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    const scheme = url.protocol.slice(0, -1);
    return {
      kind: "unusable",
      variable,
      reason: `names a \`${scheme}\` proxy; only http(s) works`,
    };
  }
  return { kind: "proxy", url: url.href, variable };
}

function proxyVariable(protocol: string, env: Env): string | undefined {
  const names =
    protocol === "https:"
      ? ["https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"]
      : ["http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"];
  return names.find((name) => (env[name] ?? "").trim() !== "");
}

/** What to say at start about proxies that would be followed but cannot be. */
export function proxyWarnings(instances: readonly Instance[], env: Env): string[] {
  const warnings = new Set<string>();
  for (const { direct, base_url } of instances) {
    const url = URL.parse(base_url);
    const rule = direct || url === null ? NONE : proxyRule(url, env);
    if (rule.kind === "unusable") {
      warnings.add(`\`${rule.variable}\` ${rule.reason}: remote providers are called directly`);
    }
  }
  return [...warnings];
}

/** One line per proxy in use and whom it carries, for the start-up summary; never its credential. */
export function proxyNotices(instances: readonly Instance[]): string[] {
  const byProxy = Map.groupBy(instances, ({ proxy }) => proxy);
  return [...byProxy].flatMap(([proxy, users]) => {
    if (proxy === undefined) return [];
    const names = users.map(({ name }) => name).join(", ");
    return [`${URL.parse(proxy)?.host ?? "?"}, for ${names}`];
  });
}
