import type { Decision } from "../../src/routing/decision.ts";
import { type MovedClock, movedClock } from "./moved-clock.ts";
import { observe } from "./observe.ts";
import { chat, pool, provider, startRouter, type TestRouter } from "./router.ts";
import {
  completion,
  type ScriptedUpstream,
  scriptedUpstream,
  streamOf,
  type Wire,
} from "./scripted-upstream.ts";

/** How an upstream answers one request, whose body comes as text. */
export type Behaviour = (wire: Wire, stream: boolean, body?: string) => unknown;

/** Says hi, as JSON or as a stream, as asked. */
export const fine: Behaviour = (wire, stream) => {
  if (!stream) return wire.json(completion("hi"));
  wire.sse();
  wire.write(streamOf("hi"));
  wire.end();
};

/** A JSON error with a status. */
export const refusing =
  (status: number, error: object | string, headers: Record<string, string> = {}): Behaviour =>
  (wire) =>
    wire.json(typeof error === "string" ? error : { error }, status, headers);

export const failing = refusing(500, { message: "no" });

/** What a client and the decision say of one request. */
export interface Told {
  readonly status: number;
  readonly code: string | null;
  readonly retry_after: string | null;
  readonly should_retry: string | null;
  readonly target: string | null;
  readonly degraded: boolean;
  /** `target kind` of each attempt, in order. */
  readonly attempts: readonly string[];
  readonly decision: Decision;
}

export interface Fleet extends AsyncDisposable {
  readonly router: TestRouter;
  readonly clock: MovedClock;
  readonly upstreams: Readonly<Record<string, ScriptedUpstream>>;
  set(name: string, behaviour: Behaviour): void;
  /** Requests that arrived at an upstream so far. */
  calls(name: string): number;
  /** Asks the pool of all members unless told otherwise. */
  ask(request?: Ask): Promise<Told>;
  /** Codes and details of what keeps a target out, as `explain` shows them. */
  reasons(target: string): Promise<readonly { code: string; detail: string | null }[]>;
}

interface Ask {
  readonly model?: string;
  readonly stream?: boolean;
  /** Further members of the body. */
  readonly more?: object;
}

interface FleetOptions {
  readonly config?: string;
  /** Lines of each instance's section. */
  readonly each?: string;
  readonly models?: readonly string[];
}

/** A router before scripted upstreams `a`, `b`, …, all with model `m`, in one pool by priority. */
export async function startFleet(
  behaviours: Readonly<Record<string, Behaviour>>,
  { config = "", each = "" }: FleetOptions = {},
): Promise<Fleet> {
  const current = { ...behaviours };
  const names = Object.keys(behaviours);
  const upstreams = Object.fromEntries(
    names.map((name) => [
      name,
      scriptedUpstream((wire, { body }) => {
        const text = new TextDecoder().decode(body);
        return current[name]?.(wire, text.includes('"stream":true'), text);
      }),
    ]),
  );
  const clock = movedClock();
  const sections = names.map((name) => provider(name, upstreams[name]?.base_url ?? "", each));
  const router = await startRouter({
    config: `${sections.join("")}${pool(...names)}${config}`,
    clock,
    random: () => 0.5,
  });
  const observer = observe(router);
  return {
    router,
    clock,
    upstreams,
    set: (name, behaviour) => void (current[name] = behaviour),
    calls: (name) => upstreams[name]?.requests.length ?? 0,
    async ask({ model = "pool:main", stream = false, more = {} } = {}) {
      const response = await router.post("/v1/chat/completions", chat(model, { stream, ...more }));
      return told(response, await observer.decision(response.headers.get("x-veriroute-decision")));
    },
    async reasons(target) {
      const response = await router.get("/v1/routing/health");
      const { targets }: HealthAnswer = JSON.parse(await response.text());
      const found = targets.find((one) => one.target === target);
      return (found?.reasons ?? []).map(({ code, detail }) => ({ code, detail }));
    },
    async [Symbol.asyncDispose]() {
      await router[Symbol.asyncDispose]();
      for (const upstream of Object.values(upstreams)) upstream[Symbol.dispose]();
    },
  };
}

interface HealthAnswer {
  readonly targets: readonly {
    readonly target: string;
    readonly reasons: readonly { code: string; detail: string | null }[];
  }[];
}

async function told(response: Response, decision: Decision): Promise<Told> {
  const { headers, status } = response;
  const code = /"code":"([a-z_]+)"/.exec(await response.text())?.[1] ?? null;
  return {
    status,
    code,
    retry_after: headers.get("retry-after"),
    should_retry: headers.get("x-should-retry"),
    target: headers.get("x-veriroute-target"),
    degraded: decision.degraded,
    attempts: decision.attempts.map(({ target, kind }) => `${target} ${kind}`),
    decision,
  };
}
