import { isPrivateHost } from "../config/base-url.ts";
import type { Env } from "../config/paths.ts";
import type { HealthNotice } from "../health/notices.ts";
import type { Fetch } from "../upstream/fetch.ts";
import { proxyRule } from "../upstream/proxy.ts";
import { transportFault } from "../upstream/transport-fault.ts";
import { noticeText } from "./notification-text.ts";

/** A notice with its moment, epoch ms. */
export interface DatedNotice {
  readonly at: number;
  readonly notice: HealthNotice;
}

/** Where and how to post. The URL may be all the secret there is: never logged, shown or returned. */
export interface Receiver {
  readonly name: string;
  readonly type: "webhook" | "ntfy";
  readonly url: string;
  readonly token: string | null;
  readonly timeout_ms: number;
}

export type PostResult =
  | { readonly ok: true; readonly status: number }
  /** `problem` completes "the receiver …". */
  | { readonly ok: false; readonly problem: string; readonly is_worth_retrying: boolean };

interface PostDependencies {
  readonly fetch: Fetch;
  readonly env: Env;
  readonly version: string;
  readonly signal: AbortSignal;
}

/** One try. Ends within the receiver's limit, follows no redirect, never rejects. */
export async function postNotice(
  receiver: Receiver,
  dated: DatedNotice,
  { fetch, env, version, signal }: PostDependencies,
): Promise<PostResult> {
  const { url, token, timeout_ms } = receiver;
  const { headers, body } = receiver.type === "webhook" ? asJson(dated) : asText(dated);
  try {
    const response = await fetch(url, {
      method: "POST",
      headers: {
        ...headers,
        "user-agent": `veriroute/${version}`,
        ...(token !== null && { authorization: `Bearer ${token}` }),
      },
      body,
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeout_ms)]),
      redirect: "manual",
      timeout: false,
      proxy: proxyOf(url, env) ?? false,
    });
    // Nobody reads what it says, and an open body keeps its connection.
    await response.body?.cancel().catch(() => undefined);
    return response.ok ? { ok: true, status: response.status } : refused(response.status);
  } catch (error) {
    const { kind, code } = transportFault(error);
    const suffix = code === null ? "" : ` (${code})`;
    const problem =
      kind === "timeout" ? `did not answer within ${timeout_ms} ms` : `failed: ${kind}${suffix}`;
    return { ok: false, problem, is_worth_retrying: kind !== "abort" };
  }
}

function refused(status: number): PostResult {
  const isRedirect = status >= 300 && status < 400;
  return {
    ok: false,
    problem: isRedirect
      ? `redirects (HTTP ${status}), which is not followed`
      : `answered HTTP ${status}`,
    is_worth_retrying: status === 408 || status === 429 || status >= 500,
  };
}

function asJson({ at, notice }: DatedNotice) {
  const { title, text, severity } = noticeText(notice);
  const { kind, ...fields } = notice;
  return {
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ kind, at, severity, title, text, ...fields }),
  };
}

/** ntfy's 1 to 5. */
const PRIORITY = { info: "3", warning: "4", critical: "5" } as const;
const TAG = { info: "white_check_mark", warning: "warning", critical: "rotating_light" } as const;

function asText({ notice }: DatedNotice) {
  const { title, text, severity } = noticeText(notice);
  return {
    headers: {
      "content-type": "text/plain; charset=utf-8",
      title: printable(title),
      priority: PRIORITY[severity],
      tags: TAG[severity],
    },
    body: text,
  };
}

/** Model names may hold anything; a header may not. */
function printable(text: string): string {
  return text.replaceAll(/[^\x20-\x7e]/g, "?");
}

function proxyOf(text: string, env: Env): string | null {
  const url = URL.parse(text);
  if (url === null || isPrivateHost(url.hostname)) return null;
  const rule = proxyRule(url, env);
  return rule.kind === "proxy" ? rule.url : null;
}
