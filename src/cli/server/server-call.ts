import { isPrivateHost } from "../../config/base-url.ts";
import type { Option } from "../command.ts";
import { locate } from "../setup/locate.ts";
import type { Shell } from "../terminal/shell.ts";
import { ownServer } from "./own-server.ts";

export const SERVER_OPTIONS: Readonly<Record<string, Option>> = {
  url: {
    value: "URL",
    description: "Server to ask. Default: the one running here. Key: $VERIROUTE_ADMIN_KEY.",
  },
};

export type ServerAnswer =
  | { readonly ok: true; readonly body: unknown }
  | {
      readonly ok: false;
      readonly problem: string;
      /** Of its answer; left out where none came. */
      readonly status?: number;
    };

interface ServerCall {
  readonly path: string;
  readonly body: unknown;
  /** As given by `--url`, and `isServerUrl`; undefined finds the server of this state directory. */
  readonly url: string | undefined;
  /** 15 s unless said otherwise. */
  readonly timeout_ms?: number;
}

const TIMEOUT_MS = 15_000;

/** Whether `--url` can be used as it was given; it may be left out. */
export function isServerUrl(given: string | undefined): boolean {
  return given === undefined || /^https?:$/.test(URL.parse(given)?.protocol ?? "");
}

/** Posts JSON to the running server; every way this can fail is a sentence with its fix. */
export async function callServer(call: ServerCall, shell: Shell): Promise<ServerAnswer> {
  const { path, url, body, timeout_ms } = call;
  const answer = await request({ path, url, key: adminKey(shell), body, timeout_ms }, shell);
  return answer.kind === "unreachable"
    ? { ok: false, problem: answer.problem }
    : answerOf(answer.status, answer.text);
}

const adminKey = ({ env }: Shell): string => env["VERIROUTE_ADMIN_KEY"] ?? "";

export type ServerRead =
  | {
      readonly kind: "answered";
      /** Of the server, without a slash at its end. */
      readonly url: string;
      readonly status: number;
      /** Undefined where it is no JSON. */
      readonly body: unknown;
    }
  | { readonly kind: "unreachable"; readonly problem: string };

/** Reads JSON from the running server with the admin key; problems as `callServer` tells them. */
export async function getFromServer(
  { path, url }: Pick<ServerCall, "path" | "url">,
  shell: Shell,
): Promise<ServerAnswer> {
  const answer = await request({ path, url, key: adminKey(shell) }, shell);
  return answer.kind === "unreachable"
    ? { ok: false, problem: answer.problem }
    : answerOf(answer.status, answer.text);
}

/** Reads from the running server with this key, or with none if it is empty. */
export async function readFromServer(
  read: Pick<ServerCall, "path" | "url"> & { readonly key: string },
  shell: Shell,
): Promise<ServerRead> {
  const answer = await request(read, shell);
  if (answer.kind === "unreachable") return answer;
  const { url, status, text } = answer;
  return { kind: "answered", url, status, body: parsed(text) };
}

type Reached =
  | {
      readonly kind: "answered";
      readonly url: string;
      readonly status: number;
      readonly text: string;
    }
  | { readonly kind: "unreachable"; readonly problem: string };

/** A POST where there is a body, else a GET. */
async function request(
  {
    path,
    url: given,
    key,
    body,
    timeout_ms = TIMEOUT_MS,
  }: Pick<ServerCall, "path" | "url"> & {
    readonly key: string;
    readonly body?: unknown;
    readonly timeout_ms?: number | undefined;
  },
  shell: Shell,
): Promise<Reached> {
  const server = serverUrl(given, shell);
  if (!server.ok) return { kind: "unreachable", problem: server.problem };
  const { url } = server;
  try {
    const response = await fetch(url + path, {
      headers: {
        ...(body !== undefined && { "content-type": "application/json" }),
        ...(key !== "" && { authorization: `Bearer ${key}` }),
      },
      ...(body !== undefined && { method: "POST", body: JSON.stringify(body) }),
      redirect: "manual",
      signal: AbortSignal.timeout(timeout_ms),
      ...(isOnSite(url) && { proxy: false }),
    });
    return { kind: "answered", url, status: response.status, text: await response.text() };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { kind: "unreachable", problem: `${url} does not answer: ${reason}` };
  }
}

type ServerUrl =
  { readonly ok: true; readonly url: string } | { readonly ok: false; readonly problem: string };

function serverUrl(given: string | undefined, shell: Shell): ServerUrl {
  if (given !== undefined) {
    return { ok: true, url: given.replace(/\/+$/, "") };
  }
  const located = locate(shell);
  if (!located.ok) return located;
  const own = ownServer(located.paths);
  if (own !== null) return { ok: true, url: own.url };
  const problem = `no server runs on ${located.paths.state_dir}; start one, or name one with --url`;
  return { ok: false, problem };
}

function answerOf(status: number, text: string): ServerAnswer {
  const body = parsed(text);
  const isOk = status >= 200 && status <= 299;
  if (isOk && body !== undefined) return { ok: true, body };
  const message = errorMessage(body) ?? (text.slice(0, 200) || "no text");
  if (status === 401 || status === 403) {
    const start = message.replace(/\.$/, "");
    const problem = `${start}; set VERIROUTE_ADMIN_KEY to a key of the server`;
    return { ok: false, problem, status };
  }
  return { ok: false, problem: isOk ? "the answer is not JSON" : message, status };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function errorMessage(body: unknown): string | undefined {
  if (typeof body !== "object" || body === null || !("error" in body)) return undefined;
  const { error } = body;
  const message =
    typeof error === "object" && error !== null && "message" in error && error.message;
  return typeof message === "string" ? message : undefined;
}

/** A key on its way to a server of this site has no business with a proxy. */
function isOnSite(url: string): boolean {
  return isPrivateHost(URL.parse(url)?.hostname ?? "");
}
