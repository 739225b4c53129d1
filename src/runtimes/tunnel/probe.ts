import { readJson } from "../../upstream/bounded-body.ts";
import type { Fetch } from "../../upstream/fetch.ts";

export interface ProbeRequest {
  /** Such as `http://127.0.0.1:40123/v1`. */
  readonly base_url: string;
  /** The server's own key; null where it has none. */
  readonly key: string | null;
  /** The model that has to be listed. */
  readonly served_model: string;
  readonly timeout_ms: number;
}

export type TunnelProbe =
  | { readonly kind: "serving" }
  /** In our own words. */
  | { readonly kind: "miss"; readonly reason: string };

const MAX_BYTES = 1024 ** 2;

/** Whether the server answers through the tunnel and serves the model. Never rejects. */
export async function probeThroughTunnel(
  fetch: Fetch,
  request: ProbeRequest,
): Promise<TunnelProbe> {
  try {
    const answer = await fetch(`${request.base_url}/models`, {
      headers: request.key === null ? {} : { authorization: `Bearer ${request.key}` },
      signal: AbortSignal.timeout(request.timeout_ms),
      redirect: "manual",
      proxy: false,
    });
    if (answer.status !== 200) {
      await answer.body?.cancel();
      return miss(`\`/v1/models\` answers with ${answer.status}`);
    }
    const models = modelIds(await readJson(answer, MAX_BYTES));
    if (models.includes(request.served_model)) return { kind: "serving" };
    return miss(`the server does not list \`${request.served_model}\``);
  } catch (error) {
    const late = error instanceof Error && error.name === "TimeoutError";
    return miss(late ? "the server does not answer in time" : "nothing answers through the tunnel");
  }
}

function miss(reason: string): TunnelProbe {
  return { kind: "miss", reason };
}

function modelIds(body: unknown): unknown[] {
  if (typeof body !== "object" || body === null || !("data" in body)) return [];
  if (!Array.isArray(body.data)) return [];
  const entries: unknown[] = body.data;
  return entries.map((entry) =>
    typeof entry === "object" && entry !== null && "id" in entry ? entry.id : undefined,
  );
}
