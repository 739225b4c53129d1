import type { TestRouter } from "../router.ts";
import { until } from "../until.ts";

interface Shown {
  readonly round: { readonly n: number; readonly is_running: boolean } | null;
  readonly endpoints: readonly {
    readonly endpoint: string;
    readonly state: string;
    readonly fail_streak: number;
    readonly last_fault: string | null;
  }[];
}

/** Config of a canary that watches model `a/m` of the instance `openrouter` at a scripted gateway. */
export function watching(base_url: string, more = "", canary = ""): string {
  return `[providers.openrouter]
base_url = "${base_url}"
api_key = "test"
models = ["a/m"]
${more}
[canary]
enabled = true
models = ["openrouter:a/m"]
max_usd_per_day = 1
locales = ["pt"]
${canary}
`;
}

export const canaryOf = async (router: Pick<TestRouter, "admin">): Promise<Shown> =>
  JSON.parse(JSON.stringify(await router.admin("/admin/v1/canary")));

/** Has a round run, and waits for its end. */
export async function round(router: Pick<TestRouter, "admin" | "post">): Promise<Shown> {
  const begun = await router.post("/admin/v1/canary/run", {});
  const { round_n }: { round_n: number } = JSON.parse(await begun.text());
  return until(async () => {
    const shown = await canaryOf(router);
    const isOver = shown.round !== null && shown.round.n >= round_n && !shown.round.is_running;
    return isOver ? shown : undefined;
  });
}

/** What each endpoint is in, by host. */
export function states({ endpoints }: Shown): Readonly<Record<string, string>> {
  return Object.fromEntries(
    endpoints.map(({ endpoint, state }) => [endpoint.split("@")[1] ?? endpoint, state]),
  );
}
