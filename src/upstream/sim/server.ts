import type { Clock } from "../../lib/clock.ts";
import type { Random } from "../../lib/random.ts";
import { isObject, type JsonObject, parseJson } from "../../protocol/openai/fields.ts";
import { readAsk } from "./ask.ts";
import type { Director, Role } from "./director.ts";
import { badRequest, notFound, type Problem, unknownModel, wrongMethod } from "./errors.ts";
import { type Endpoint, isModelName, MODELS } from "./models.ts";
import { embeddingsAnswer, readEmbeddingsAsk } from "./speech/embeddings.ts";
import { speeches } from "./speech/speech.ts";
import { htmlPage, statusProblem } from "./vendor-errors.ts";
import { type Envelope, wireOf } from "./wire/dialect.ts";
import { transportFault } from "./wire/faults.ts";
import { problemReply, type Reply, spokenReply, wholeReply } from "./wire/reply.ts";

export interface HttpCall {
  readonly method: string;
  readonly path: string;
  readonly instance: string;
  readonly text: string;
}

export interface Backstage {
  readonly clock: Clock;
  readonly random: Random;
  readonly director: Director;
}

const ENDPOINTS: Readonly<Record<string, Endpoint>> = {
  "/v1/chat/completions": "chat",
  "/v1/completions": "completions",
  "/v1/embeddings": "embeddings",
};

/** What the simulated server answers to one HTTP call. */
export function answer(call: HttpCall, backstage: Backstage): Reply {
  if (/^\/v1\/models(\/|$)/.test(call.path)) return modelsReply(call, backstage);
  const endpoint = ENDPOINTS[call.path];
  if (endpoint === undefined) return refuse(notFound(`Unknown URL: ${call.path}`));
  if (call.method !== "POST") return refuse(wrongMethod("This endpoint takes POST.", "POST"));
  const body = parseJson(call.text);
  if (!isObject(body)) return refuse(badRequest("The body is no JSON object."));
  const { model } = body;
  if (typeof model !== "string") return refuse(badRequest("`model` must be a text.", "model"));
  if (!isModelName(model)) return refuse(unknownModel(model));
  const role = backstage.director.cast({ instance: call.instance, endpoint, model, body });
  if (!role.ok) return refuse(role.problem);
  return play(endpoint, {
    body,
    role: role.value,
    envelope: envelopeOf(model, endpoint, backstage),
  });
}

const refuse = (problem: Problem): Reply => problemReply(problem, 0);

interface Performance {
  readonly body: JsonObject;
  readonly role: Role;
  readonly envelope: Envelope & { readonly newId: (prefix: string) => string };
}

function play(endpoint: Endpoint, { body, role, envelope }: Performance): Reply {
  const { model, params } = role;
  const page = errorPage(role);
  if (page !== null) return problemReply(page, params.number("delay"));
  const fault = transportFault(model, params);
  const broken = model === "mojibake" && params.text("form") === "invalid";
  const how = { params, fault, broken };
  if (endpoint === "embeddings") {
    const read = readEmbeddingsAsk(body);
    if (!read.ok) return refuse(read.problem);
    return wholeReply(embeddingsAnswer(read.value, envelope.model, model === "empty"), 1, how);
  }
  const read = readAsk(endpoint, body);
  if (!read.ok) return refuse(read.problem);
  const said = speeches({ ...role, newId: envelope.newId }, read.value);
  return spokenReply(wireOf(read.value, envelope), said, { ...how, ask: read.value });
}

/** Faults that answer with a page of their own instead of an answer gone wrong. */
function errorPage({ model, params }: Role): Problem | null {
  if (model === "status") return statusProblem(params);
  return model === "badjson" && params.text("form") === "html" ? htmlPage(200) : null;
}

const ID_PREFIX = { chat: "chatcmpl-", completions: "cmpl-", embeddings: "embd-" } as const;
const ID_CHARACTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const ID_LENGTH = 24;

function envelopeOf(model: string, endpoint: Endpoint, { clock, random }: Backstage) {
  const newId = (prefix: string) =>
    prefix +
    Array.from(
      { length: ID_LENGTH },
      () => ID_CHARACTERS[Math.floor(random() * ID_CHARACTERS.length)],
    ).join("");
  return { id: newId(ID_PREFIX[endpoint]), created: epochSeconds(clock), model, newId };
}

function epochSeconds(clock: Clock): number {
  return Math.floor(clock.now() / 1000);
}

function modelsReply({ method, path }: HttpCall, { clock }: Backstage): Reply {
  if (method !== "GET") return refuse(wrongMethod("This endpoint takes GET.", "GET"));
  const created = epochSeconds(clock);
  const entry = (id: string) => ({ id, object: "model", created, owned_by: "simulator" });
  const [, name] = /^\/v1\/models\/(.+)$/.exec(path) ?? [];
  if (name === undefined) {
    return jsonReply({ object: "list", data: Object.keys(MODELS).map(entry) });
  }
  const id = decode(name);
  return isModelName(id) ? jsonReply(entry(id)) : refuse(unknownModel(id));
}

function decode(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

function jsonReply(value: JsonObject): Reply {
  const headers = { "content-type": "application/json" };
  return problemReply({ status: 200, headers, body: JSON.stringify(value) }, 0);
}
