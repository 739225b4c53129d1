import { provider, type RouterOptions, startRouter, type TestRouter } from "./router.ts";
import {
  completion,
  type ScriptedUpstream,
  scriptedUpstream,
  type SeenRequest,
  type Wire,
} from "./scripted-upstream.ts";

type Script = (wire: Wire, request: SeenRequest) => unknown;

/** A router with instances at upstreams of their own, each of which answers `hi` unless told otherwise. */
export interface Fleet extends AsyncDisposable {
  readonly router: TestRouter;
  /** What an instance answers from now on. */
  script(instance: string, script: Script): void;
  /** How often each instance was asked, as `a:2 b:1`. */
  asked(): string;
  /** Calls the router with a JSON body, if any. */
  call(method: string, path: string, body?: object): Promise<CallAnswer>;
  /** JSON bodies that an instance got. */
  bodies(instance: string): unknown[];
}

/** Members of JSON answers that tests look at. */
interface Row {
  readonly name: string;
  readonly target: string;
  readonly action: string;
  readonly is_default: boolean;
  readonly reasons: readonly { readonly code: string }[];
}

interface Section {
  readonly count: number;
  readonly items: readonly Row[];
  readonly next: string | null;
}

export interface CallAnswer {
  readonly status: number;
  readonly body: {
    readonly items: readonly Row[];
    readonly is_default: boolean;
    readonly allowed: Section;
    readonly catalog: Section;
    readonly plan: { readonly candidates: readonly Row[] };
    readonly notes: readonly string[];
    readonly id: string;
    readonly key: string;
    readonly error: { readonly message: string };
  };
}

const ANSWER: Script = (wire) => wire.json(completion("hi"));

interface FleetOptions extends RouterOptions {
  readonly instances: readonly string[];
}

export async function startFleet({
  instances,
  config = "",
  ...more
}: FleetOptions): Promise<Fleet> {
  const scripts = new Map<string, Script>();
  const upstreams = new Map<string, ScriptedUpstream>(
    instances.map((name) => [
      name,
      scriptedUpstream((wire, request) => (scripts.get(name) ?? ANSWER)(wire, request)),
    ]),
  );
  const providers = [...upstreams].map(([name, { base_url }]) => provider(name, base_url));
  const router = await startRouter({ ...more, config: `${providers.join("")}${config}` });
  return {
    router,
    script: (name, script) => void scripts.set(name, script),
    asked: () =>
      [...upstreams].map(([name, { requests }]) => `${name}:${requests.length}`).join(" "),
    async call(method, path, body) {
      const response = await fetch(router.url + path, {
        method,
        proxy: false,
        ...(body && {
          body: JSON.stringify(body),
          headers: { "content-type": "application/json" },
        }),
      });
      return { status: response.status, body: JSON.parse(await response.text()) };
    },
    bodies: (name) =>
      (upstreams.get(name)?.requests ?? []).map(({ body }) =>
        JSON.parse(new TextDecoder().decode(body)),
      ),
    async [Symbol.asyncDispose]() {
      await router[Symbol.asyncDispose]();
      for (const upstream of upstreams.values()) upstream[Symbol.dispose]();
    },
  };
}
