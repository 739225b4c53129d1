import { objectOf, parseJson } from "../../../src/protocol/openai/fields.ts";

/** What a host does with a probe or a client's request; it may wait. */
export type HostScript = (question: HostQuestion) => Response | string | Promise<Response | string>;

export interface HostQuestion {
  readonly host: string;
  readonly prompt: string;
  readonly stream: boolean;
  readonly wants_form: boolean;
  readonly body: Readonly<Record<string, unknown>>;
}

export interface HostGateway extends Disposable {
  /** As a provider's `base_url`. */
  readonly base_url: string;
  /** Chat bodies as they came, in order. */
  readonly bodies: readonly Readonly<Record<string, unknown>>[];
  /** Requests of any kind. */
  readonly count: () => number;
  /** By host; one without a script answers as it should. Replace entries to change a host. */
  readonly scripts: Map<string, HostScript>;
  /** What the listing says; null answers 500. */
  listing: readonly string[] | null;
}

/** Sentences that pass in each language that tests ask in. */
const SAID: Readonly<Record<string, string>> = {
  pt: "Hoje de manhã desci até o porto porque a padaria ainda estava fechada. No caminho encontrei uma vizinha que me contou a história do seu cachorro, e acabamos tomando um café juntos antes de voltar para casa debaixo de chuva.",
  en: "This morning I walked down to the harbour because the bakery was still closed. On the way I met a neighbour who told me the story of her dog, and we had a coffee together before I went home in the rain.",
};

/**
 * A gateway as OpenRouter is one: `/models/{author}/{slug}/endpoints` lists the hosts of a model, and chat
 * goes to the host that `provider.only` names, else to the first that `provider.ignore` does not.
 */
export function hostGateway(hosts: readonly string[], language = "pt"): HostGateway {
  const bodies: Readonly<Record<string, unknown>>[] = [];
  let count = 0;
  const scripts = new Map<string, HostScript>();
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    idleTimeout: 60,
    async fetch(request) {
      count++;
      const { pathname } = new URL(request.url);
      if (pathname.endsWith("/endpoints")) return listingOf(gateway.listing);
      if (!pathname.endsWith("/chat/completions")) return Response.json({ data: [] });
      const body = objectOf(parseJson(await request.text()));
      bodies.push(body);
      const host = hostFor(body, gateway.listing ?? hosts);
      if (host === undefined) return refusal();
      const question = questionOf(host, body);
      const said = await (scripts.get(host)?.(question) ?? answerOf(question, language));
      return typeof said === "string" ? answer(question, said) : said;
    },
  });
  const gateway: HostGateway = {
    base_url: `http://127.0.0.1:${server.port}/api/v1`,
    bodies,
    count: () => count,
    scripts,
    listing: hosts,
    [Symbol.dispose]: () => void server.stop(true),
  };
  return gateway;
}

function listingOf(hosts: readonly string[] | null): Response {
  if (hosts === null) return Response.json({ error: { message: "down" } }, { status: 500 });
  const endpoints = hosts.map((tag) => ({
    tag,
    provider_name: nameOf(tag),
    pricing: { prompt: "0.0000001", completion: "0.0000002" },
    supported_parameters: ["temperature", "max_tokens", "response_format", "structured_outputs"],
    status: 0,
  }));
  return Response.json({ data: { id: "a/m", endpoints } });
}

const nameOf = (tag: string) => tag.charAt(0).toUpperCase() + tag.slice(1);

function hostFor(body: Readonly<Record<string, unknown>>, hosts: readonly string[]) {
  const { only, ignore } = objectOf(body["provider"]);
  return hosts.find((host) => (only === undefined || isIn(only, host)) && !isIn(ignore, host));
}

const isIn = (list: unknown, host: string) => Array.isArray(list) && list.includes(host);

const refusal = () =>
  Response.json({ error: { code: 404, message: "No endpoints found." } }, { status: 404 });

function questionOf(host: string, body: Readonly<Record<string, unknown>>): HostQuestion {
  const messages = Array.isArray(body["messages"]) ? body["messages"] : [];
  const prompt = String(objectOf(messages[0])["content"]);
  const wants_form = body["response_format"] !== undefined;
  return { host, prompt, body, wants_form, stream: body["stream"] === true };
}

/** What a sound host says to a question of the canary. */
export function answerOf({ body, wants_form }: HostQuestion, language = "pt"): string {
  if (!wants_form) return SAID[language] ?? "";
  const { schema } = objectOf(objectOf(body["response_format"])["json_schema"]);
  return JSON.stringify(valueOf(objectOf(schema)));
}

/** The simplest value that keeps a schema of ours. */
function valueOf(schema: Readonly<Record<string, unknown>>): unknown {
  const { type, properties, items, enum: words, minItems, minimum } = schema;
  if (Array.isArray(words)) return words[0];
  if (type === "object") {
    const members = Object.entries(objectOf(properties));
    return Object.fromEntries(members.map(([name, inner]) => [name, valueOf(objectOf(inner))]));
  }
  if (type === "array") {
    const length = typeof minItems === "number" ? minItems : 1;
    return Array.from({ length }, () => valueOf(objectOf(items)));
  }
  if (type === "integer" || type === "number") return typeof minimum === "number" ? minimum : 1;
  return type === "boolean" ? true : "word";
}

/** A whole or streamed chat answer that says so, from the host that was asked or from another. */
export function answer(
  { host, stream }: Pick<HostQuestion, "host" | "stream">,
  text: string,
  { finish = "stop", provider = nameOf(host) }: { finish?: string; provider?: string } = {},
): Response {
  const usage = { prompt_tokens: 20, completion_tokens: 60, total_tokens: 80 };
  const about = { id: "gen-1", model: "a/m", provider };
  if (!stream) {
    const message = { role: "assistant", content: text };
    const choices = [{ index: 0, message, finish_reason: finish }];
    return Response.json({ ...about, object: "chat.completion", choices, usage });
  }
  const chunk = (delta: object, finish_reason: string | null, more: object = {}) => {
    const choices = [{ index: 0, delta, finish_reason }];
    return `data: ${JSON.stringify({ ...about, object: "chat.completion.chunk", choices, ...more })}\n\n`;
  };
  const frames = [
    chunk({ role: "assistant", content: "" }, null),
    chunk({ content: text }, null),
    chunk({}, finish, { usage }),
    "data: [DONE]\n\n",
  ];
  return new Response(frames.join(""), { headers: { "content-type": "text/event-stream" } });
}
