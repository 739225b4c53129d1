import { expect, test } from "bun:test";

import * as fc from "fast-check";

import { OPENAI_MEMBERS } from "../../../../src/catalog/chat-quirks/vocabulary.ts";
import type { Dialect } from "../../../../src/protocol/dialect.ts";
import { UNTOLD } from "../../../../src/protocol/openai/param-spellings.ts";
import { spellParams, withParams } from "../../../../src/protocol/openai/spell-params.ts";

interface Row {
  readonly dialect: Dialect;
  readonly params: Readonly<Record<string, unknown>>;
  readonly body?: Readonly<Record<string, unknown>>;
  /** The body's members after, less what it had. */
  readonly sent: Readonly<Record<string, unknown>>;
  readonly lost?: readonly string[];
}

/** What a profile may well ask for, whatever its requests are. */
const PROFILE = { effort: "low", seed: 7, stop: "END", temperature: 0, max_tokens: 9, n: 2 };

test.each<Row>([
  {
    dialect: "chat",
    params: PROFILE,
    sent: { reasoning_effort: "low", seed: 7, stop: "END", temperature: 0, max_tokens: 9, n: 2 },
  },
  {
    dialect: "completions",
    params: PROFILE,
    sent: { seed: 7, stop: "END", temperature: 0, max_tokens: 9, n: 2 },
    lost: ["effort"],
  },
  {
    dialect: "embeddings",
    params: PROFILE,
    sent: {},
    lost: ["effort", "seed", "stop", "temperature", "max_tokens", "n"],
  },
  {
    dialect: "messages",
    params: PROFILE,
    sent: {
      output_config: { effort: "low" },
      stop_sequences: ["END"],
      temperature: 0,
      max_tokens: 9,
    },
    lost: ["seed", "n"],
  },
  {
    dialect: "responses",
    params: PROFILE,
    sent: { reasoning: { effort: "low" }, temperature: 0, max_output_tokens: 9 },
    lost: ["seed", "stop", "n"],
  },
  {
    dialect: "messages",
    params: { frequency_penalty: 1, logprobs: true, response_format: {}, service_tier: "flex" },
    sent: {},
    lost: ["frequency_penalty", "logprobs", "response_format", "service_tier"],
  },
  { dialect: "messages", params: { effort: "none" }, sent: { thinking: { type: "disabled" } } },
  { dialect: "completions", params: { logprobs: true }, sent: {}, lost: ["logprobs"] },
  { dialect: "completions", params: { max_completion_tokens: 9 }, sent: { max_tokens: 9 } },
  {
    dialect: "responses",
    params: { top_k: 40, provider: { sort: "price" } },
    sent: { top_k: 40, provider: { sort: "price" } },
  },
  { dialect: "messages", params: { top_k: 40, mystery: 1 }, sent: { top_k: 40, mystery: 1 } },
  {
    dialect: "embeddings",
    params: { top_k: 40, chat_template_kwargs: {}, input_type: "query", dimensions: 256 },
    sent: { input_type: "query", dimensions: 256 },
    lost: ["top_k", "chat_template_kwargs"],
  },
  {
    dialect: "messages",
    params: { effort: "low", user: "u" },
    body: { output_config: { format: {} }, metadata: { user_id: "own" } },
    sent: { output_config: { format: {}, effort: "low" } },
  },
  {
    dialect: "responses",
    params: { effort: "low", verbosity: "low" },
    body: { reasoning: { effort: null }, text: { format: {} } },
    sent: { text: { format: {}, verbosity: "low" } },
  },
  { dialect: "messages", params: { effort: "low" }, body: { output_config: null }, sent: {} },
  {
    dialect: "messages",
    params: { temperature: 0, top_k: 3 },
    body: { thinking: { type: "adaptive" } },
    sent: {},
    lost: ["temperature", "top_k"],
  },
  { dialect: "embeddings", params: { seed: 7 }, body: { seed: 8 }, sent: {} },
  { dialect: "chat", params: { model: "z", stream: true, messages: [] }, sent: {} },
])(
  "a body gets of the parameters what its dialect has: $dialect",
  ({ dialect, params, body = {}, sent, lost = [] }) => {
    const spelled = spellParams(dialect, params, body);

    expect({ body: withParams(body, spelled), lost: spelled.lost }).toEqual({
      body: { ...body, ...sent },
      lost: [...lost],
    });
  },
);

test("nothing that a body says itself is changed by a parameter, whatever both hold", () => {
  const names = fc.constantFrom("effort", "max_tokens", "stop", "seed", "user", "top_k", "other");
  const dialects = fc.constantFrom<Dialect>("chat", "completions", "messages", "responses");
  fc.assert(
    fc.property(
      dialects,
      fc.dictionary(names, fc.jsonValue()),
      fc.dictionary(fc.constantFrom("reasoning", "output_config", "stop", "x"), fc.jsonValue()),
      (dialect, params, body) => {
        expect(withParams(body, spellParams(dialect, params, body))).toMatchObject(body);
      },
    ),
  );
});

test("what is known of chat here is what vendors are known by", () => {
  const known = [...OPENAI_MEMBERS, "effort"].toSorted();

  expect([...UNTOLD.completions].toSorted()).toEqual(known);
});
