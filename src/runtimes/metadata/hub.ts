import { isLoopbackHost } from "../../config/base-url.ts";
import type { ModelFacts } from "../../sizing/model-facts.ts";
import { readModelConfig } from "../../sizing/read-config.ts";
import { readHubModel } from "../../sizing/read-hub.ts";
import { readJson } from "../../upstream/bounded-body.ts";
import type { Fetch } from "../../upstream/fetch.ts";
import { transportFault } from "../../upstream/transport-fault.ts";

export interface HubDependencies {
  readonly fetch: Fetch;
  /** Root of the Hub, without a slash at its end. */
  readonly endpoint: string;
  /** Secret: goes into one header of requests to the endpoint's own origin. */
  readonly token: string | null;
  readonly user_agent: string;
  /** Of one request. */
  readonly timeout_ms: number;
}

export const HUB = "https://huggingface.co";

const MAX_MODEL_BYTES = 8 * 1024 * 1024;
const MAX_CONFIG_BYTES = 1024 * 1024;
const MAX_REDIRECTS = 3;

export type HubModel =
  /** What could not be had is among the notes. */
  | { readonly kind: "found"; readonly facts: ModelFacts }
  /** There is no such repository, or none that we may see. */
  | { readonly kind: "absent"; readonly note: string }
  /** The Hub could not be asked. */
  | { readonly kind: "unreachable"; readonly note: string };

/** Asks the Hub for a model: two small GETs, nothing is downloaded. Never rejects. */
export async function askHub(repo: string, dependencies: HubDependencies): Promise<HubModel> {
  const host = new URL(dependencies.endpoint).host;
  const model = await get(`/api/models/${repo}?blobs=true`, MAX_MODEL_BYTES, dependencies);
  if (model.kind === "failed") {
    return { kind: "unreachable", note: `${host} ${model.reason}` };
  }
  if (model.status === 404) {
    return { kind: "absent", note: `${host} has no model \`${repo}\`` };
  }
  if (model.status === 401 || model.status === 403) {
    const why = dependencies.token === null ? "without a token" : "with this token";
    const note = `${host} shows no model \`${repo}\` ${why}: misspelt, private, or not granted`;
    return { kind: "absent", note };
  }
  const facts = model.status === 200 ? readHubModel(repo, model.body) : null;
  if (facts === null) {
    return { kind: "unreachable", note: `${host} answered HTTP ${model.status} without a model` };
  }
  return { kind: "found", facts: await withConfig(facts, host, dependencies) };
}

/** Without its `config.json` a model is sized by its parameters alone, and more generously. */
async function withConfig(
  facts: ModelFacts,
  host: string,
  dependencies: HubDependencies,
): Promise<ModelFacts> {
  const path = `/${facts.repo}/resolve/${facts.revision ?? "main"}/config.json`;
  const answer = await get(path, MAX_CONFIG_BYTES, dependencies);
  const read =
    answer.kind === "answered" && answer.status === 200 ? readModelConfig(answer.body) : null;
  if (read === null) {
    const notes = [...facts.notes, `its config.json could not be had: ${missing(answer, facts)}`];
    return { ...facts, notes };
  }
  return {
    ...facts,
    architecture: read.architecture,
    quant_method: read.quant_method ?? facts.quant_method,
    remote_code: read.remote_code,
    notes: [...facts.notes, `metadata from ${host}`],
  };
}

function missing(answer: Answer, { gated }: ModelFacts): string {
  if (answer.kind === "failed") return answer.reason;
  if (answer.status === 200) return "it is no JSON object";
  const needs = gated ? "; the model is gated and needs an accepted licence and a token" : "";
  return `HTTP ${answer.status}${needs}`;
}

type Answer =
  | { readonly kind: "answered"; readonly status: number; readonly body: unknown }
  /** In our own words, completing "the Hub …". */
  | { readonly kind: "failed"; readonly reason: string };

/** One GET, redirects inside the same origin followed. */
async function get(
  path: string,
  max_bytes: number,
  { fetch, endpoint, token, user_agent, timeout_ms }: HubDependencies,
): Promise<Answer> {
  const origin = new URL(endpoint);
  const isLoopback = isLoopbackHost(origin.hostname);
  const maySendToken = token !== null && (origin.protocol === "https:" || isLoopback);
  const signal = AbortSignal.timeout(timeout_ms);
  let url = `${endpoint}${path}`;
  try {
    for (let hop = 0; hop <= MAX_REDIRECTS; hop++) {
      const response = await fetch(url, {
        signal,
        redirect: "manual",
        ...(isLoopback ? { proxy: false } : {}),
        headers: {
          accept: "application/json",
          "user-agent": user_agent,
          ...(maySendToken ? { authorization: `Bearer ${token}` } : {}),
        },
      });
      const next = redirectOf(response, url);
      if (next === null) return await answerOf(response, max_bytes);
      await response.body?.cancel();
      if (next.origin !== origin.origin) {
        return { kind: "failed", reason: `redirects to \`${next.host}\`, which is not followed` };
      }
      url = next.href;
    }
    return { kind: "failed", reason: "redirects in a circle" };
  } catch (error) {
    const { kind, code } = transportFault(error);
    return { kind: "failed", reason: `cannot be reached (${code ?? kind})` };
  }
}

function redirectOf(response: Response, base: string): URL | null {
  if (response.status < 300 || response.status >= 400) return null;
  return URL.parse(response.headers.get("location") ?? "", base);
}

async function answerOf(response: Response, max_bytes: number): Promise<Answer> {
  const { status } = response;
  if (status === 200)
    return { kind: "answered", status, body: await readJson(response, max_bytes) };
  await response.body?.cancel();
  return { kind: "answered", status, body: null };
}
