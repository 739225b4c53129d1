import { expect, test } from "bun:test";

import { PROVIDER_TYPES } from "../../src/catalog/provider-types.ts";
import { wireFor } from "../../src/protocol/dialect.ts";
import { absenceProblem, instancesFrom } from "../../src/upstream/configured.ts";
import type { Fetch } from "../../src/upstream/fetch.ts";
import type { Instance } from "../../src/upstream/instance.ts";
import { listModels } from "../../src/upstream/listing.ts";
import { outboundHeaders } from "../../src/upstream/outbound-headers.ts";
import { send } from "../../src/upstream/send.ts";
import { identity, sampleConfig } from "../unit/upstream/samples.ts";

interface Row {
  readonly id: string;
  readonly variable: string;
  /** What the variable is set to; else a credential. */
  readonly value?: string;
  readonly chat: string;
  /** Null where the vendor has no listing. */
  readonly models: string | null;
  /** The header that holds the credential, where that is no bearer token. */
  readonly key?: Readonly<Record<string, string>>;
  readonly version?: Readonly<Record<string, string>>;
}

const row = (id: string, variable: string, base: string, rest: Partial<Row> = {}): Row => ({
  id,
  variable,
  chat: `${base}/chat/completions`,
  models: `${base}/models`,
  ...rest,
});
const anthropicVersion = { "anthropic-version": "2023-06-01" };

const ROWS: readonly Row[] = [
  row("openai", "OPENAI_API_KEY", "https://api.openai.com/v1"),
  row("anthropic", "ANTHROPIC_API_KEY", "https://api.anthropic.com/v1", {
    chat: "https://api.anthropic.com/v1/messages",
    key: { "x-api-key": "key-anthropic" },
    version: anthropicVersion,
  }),
  row("gemini", "GEMINI_API_KEY", "https://generativelanguage.googleapis.com/v1beta/openai"),
  row("xai", "XAI_API_KEY", "https://api.x.ai/v1"),
  row("deepseek", "DEEPSEEK_API_KEY", "https://api.deepseek.com"),
  row("mistral", "MISTRAL_API_KEY", "https://api.mistral.ai/v1"),
  row("perplexity", "PERPLEXITY_API_KEY", "https://api.perplexity.ai", { models: null }),
  row("cohere", "COHERE_API_KEY", "https://api.cohere.ai/compatibility/v1", { models: null }),
  row("zai", "ZHIPU_API_KEY", "https://api.z.ai/api/paas/v4"),
  row("moonshot", "MOONSHOT_API_KEY", "https://api.moonshot.ai/v1"),
  row("kimi-for-coding", "KIMI_API_KEY", "https://api.kimi.com/coding/v1"),
  row("alibaba", "DASHSCOPE_API_KEY", "https://dashscope-intl.aliyuncs.com/compatible-mode/v1"),
  row("minimax", "MINIMAX_API_KEY", "https://api.minimax.io/v1"),
  row("openrouter", "OPENROUTER_API_KEY", "https://openrouter.ai/api/v1"),
  row("groq", "GROQ_API_KEY", "https://api.groq.com/openai/v1"),
  row("together", "TOGETHER_API_KEY", "https://api.together.xyz/v1"),
  row("fireworks", "FIREWORKS_API_KEY", "https://api.fireworks.ai/inference/v1"),
  row("cerebras", "CEREBRAS_API_KEY", "https://api.cerebras.ai/v1"),
  row("nvidia", "NVIDIA_API_KEY", "https://integrate.api.nvidia.com/v1"),
  row("neuralwatt", "NEURALWATT_API_KEY", "https://api.neuralwatt.com/v1"),
  row("deepinfra", "DEEPINFRA_API_KEY", "https://api.deepinfra.com/v1/openai"),
  row("huggingface", "HF_TOKEN", "https://router.huggingface.co/v1"),
  row("baseten", "BASETEN_API_KEY", "https://inference.baseten.co/v1"),
  row("nebius", "NEBIUS_API_KEY", "https://api.tokenfactory.nebius.com/v1"),
  row("novita", "NOVITA_API_KEY", "https://api.novita.ai/openai"),
  row("siliconflow", "SILICONFLOW_API_KEY", "https://api.siliconflow.com/v1"),
  row("chutes", "CHUTES_API_KEY", "https://llm.chutes.ai/v1"),
  row("github-models", "GITHUB_TOKEN", "https://models.github.ai/inference", {
    models: "https://models.github.ai/catalog/models",
  }),
  row("vercel", "AI_GATEWAY_API_KEY", "https://ai-gateway.vercel.sh/v1"),
  row("opencode", "OPENCODE_API_KEY", "https://opencode.ai/zen/v1"),
  row("poe", "POE_API_KEY", "https://api.poe.com/v1"),
  row("venice", "VENICE_API_KEY", "https://api.venice.ai/api/v1"),
  row("synthetic", "SYNTHETIC_API_KEY", "https://api.synthetic.new/openai/v1"),
  row("ollama-cloud", "OLLAMA_API_KEY", "https://ollama.com/v1"),
  row("ollama", "OLLAMA_HOST", "http://gpu-box:11434/v1", { value: "gpu-box" }),
  row("vllm", "VLLM_API_KEY", "http://127.0.0.1:8000/v1"),
  row("lmstudio", "LMSTUDIO_API_KEY", "http://127.0.0.1:1234/v1"),
  row("llamacpp", "LLAMA_API_KEY", "http://127.0.0.1:8080/v1"),
];

interface Seen {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** A scripted upstream on loopback that stands in for every vendor and notes what it is asked. */
function scriptedUpstream() {
  const seen: Seen[] = [];
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch(request) {
      const original = request.headers.get("x-original") ?? "";
      const kept = [...request.headers].filter(([name]) =>
        /^(authorization|x-api-key|anthropic-version|user-agent)$/.test(name),
      );
      seen.push({ url: original, headers: Object.fromEntries(kept) });
      return Response.json({ object: "list", data: [{ id: "m" }] });
    },
  });
  const toLoopback: Fetch = (url, init) => {
    const { href, pathname } = new URL(url);
    const headers = new Headers(init.headers);
    headers.set("x-original", href);
    return fetch(`${server.url.origin}${pathname}`, { ...init, headers });
  };
  return { seen, fetch: toLoopback, [Symbol.asyncDispose]: () => server.stop(true) };
}

/** What the environment of a row makes; it fails loudly if that is no usable instance. */
function provisioned({ id, variable, value = `key-${id}` }: Row): Instance {
  const { instances } = instancesFrom({ config: sampleConfig({}), env: { [variable]: value } });
  const found = instances.find(({ name }) => name === id);
  if (found === undefined || found.problem !== null) throw new Error(JSON.stringify(found));
  return found;
}

test.each(ROWS)("$id is reachable with only $variable set", async (expected) => {
  await using upstream = scriptedUpstream();
  const instance = provisioned(expected);
  const signal = new AbortController().signal;
  const parts = { instance, identity, stream: false, client: null };
  const endpoint = wireFor("chat", instance.type.paths) ?? "chat";

  await send({
    fetch: upstream.fetch,
    instance,
    path: instance.type.paths[endpoint] ?? "",
    body: new Uint8Array(Buffer.from("{}")),
    headers: outboundHeaders({ ...parts, endpoint }),
    signal,
  });
  const clock = { now: () => 7, elapsed: () => 7 };
  const listing = await listModels({ fetch: upstream.fetch, instance, identity, clock, signal });

  const { value, version = {}, key } = expected;
  const bearer = value === undefined ? { authorization: `Bearer key-${expected.id}` } : {};
  const headers = { "user-agent": "veriroute/1.2.3", ...version, ...(key ?? bearer) };
  const chat = { url: expected.chat, headers };
  const models = { url: expected.models ?? "", headers };
  expect(upstream.seen).toEqual(expected.models === null ? [chat] : [chat, models]);
  expect(listing.state).toBe(expected.models === null ? "unknown" : "ok");
});

test("every provider type has a row, but for the simulator and the one made for base URLs", () => {
  const rows = ROWS.map(({ id }) => id);

  expect(rows.toSorted()).toEqual(
    PROVIDER_TYPES.map(({ id }) => id)
      .filter((id) => id !== "sim" && id !== "openai-compatible")
      .toSorted(),
  );
});

test.each(ROWS)("without it the problem of $id names $variable", ({ id, variable }) => {
  const type = PROVIDER_TYPES.find((known) => known.id === id);
  if (type === undefined) throw new Error(id);

  const absent = absenceProblem(type, { config: sampleConfig({}), env: {} });
  const { instances } = instancesFrom({
    config: sampleConfig({ providers: { [id]: {} } }),
    env: {},
  });
  const problem = instances.find(({ name }) => name === id)?.problem;

  expect(absent.message).toContain(`\`${variable}\``);
  // Servers of one's own work without a credential.
  if (type.local_port === null) expect(problem?.message).toContain(`\`${variable}\``);
  else expect(problem).toBeNull();
});
