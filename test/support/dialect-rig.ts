import { type RouterOptions, startRouter, type TestRouter } from "./router.ts";
import { type ScriptedUpstream, scriptedUpstream, type SeenRequest } from "./scripted-upstream.ts";
import type { Script } from "./wire-rig.ts";

/** A vendor of each kind: Anthropic, one that speaks chat only, OpenAI with chat and Responses. */
export type Vendor = "anthropic" | "plain" | "openai";

export interface DialectRig extends AsyncDisposable {
  readonly router: TestRouter;
  /** What each vendor does with the next requests; at first it never answers. */
  readonly scripts: Record<Vendor, Script>;
  /** What a vendor got, oldest first. */
  sent(vendor: Vendor): readonly SeenRequest[];
  /** Bodies of what it got, parsed. */
  bodies(vendor: Vendor): readonly Record<string, unknown>[];
  /** The decision about an answer. */
  decision(response: Response): Promise<Record<string, unknown>>;
}

export type TalkDialect = "chat" | "messages" | "responses";

export const PATHS: Readonly<Record<TalkDialect, string>> = {
  chat: "/v1/chat/completions",
  messages: "/v1/messages",
  responses: "/v1/responses",
};

/** A request that says `hi`, in each dialect. */
export const ASKS: Readonly<Record<TalkDialect, object>> = {
  chat: { messages: [{ role: "user", content: "hi" }] },
  messages: { max_tokens: 100, messages: [{ role: "user", content: "hi" }] },
  responses: { input: "hi" },
};

/** Claude models of each generation of thinking: a budget only, both, adaptive only. */
export const CLAUDES = ["claude-haiku-4-5", "claude-sonnet-4-6", "claude-sonnet-5-5"];

/** A router before one vendor of each kind; all models are known. */
export async function openDialectRig({
  config = "",
  ...rest
}: RouterOptions = {}): Promise<DialectRig> {
  const scripts: Record<Vendor, Script> = { anthropic: idle, plain: idle, openai: idle };
  const start = (vendor: Vendor) =>
    scriptedUpstream((wire, request) => scripts[vendor](wire, request));
  const vendors = {
    anthropic: start("anthropic"),
    plain: start("plain"),
    openai: start("openai"),
  } satisfies Record<Vendor, ScriptedUpstream>;
  const router = await startRouter({ ...rest, config: config + vendorConfig(vendors) });
  return {
    router,
    scripts,
    sent: (vendor) => vendors[vendor].requests,
    bodies: (vendor) =>
      vendors[vendor].requests.map(({ body }) => JSON.parse(new TextDecoder().decode(body))),
    async decision(response) {
      const id = response.headers.get("x-veriroute-decision") ?? "";
      const decision = await router.admin(`/admin/v1/decisions/${id}`);
      return typeof decision === "object" && decision !== null ? { ...decision } : {};
    },
    async [Symbol.asyncDispose]() {
      await router[Symbol.asyncDispose]();
      for (const vendor of Object.values(vendors)) vendor[Symbol.dispose]();
    },
  };
}

const idle: Script = () => undefined;

function vendorConfig(vendors: Readonly<Record<Vendor, ScriptedUpstream>>): string {
  const section = (name: Vendor, type: string, models: readonly string[]) =>
    [
      `[providers.${name}]`,
      `type = "${type}"`,
      `base_url = "${vendors[name].base_url}"`,
      `api_key = "sk-${name}-key"`,
      `models = ${JSON.stringify(models)}`,
      "",
    ].join("\n");
  return [
    section("anthropic", "anthropic", CLAUDES),
    section("plain", "openai-compatible", ["m"]),
    section("openai", "openai", ["gpt"]),
  ].join("\n");
}
