import {
  choice,
  duration,
  integer,
  type ParamDefinition,
  type ParamDefinitions,
  real,
} from "./params.ts";

export type Endpoint = "chat" | "completions" | "embeddings";

export interface SimulatedModel {
  /** One sentence for the docs. */
  readonly summary: string;
  readonly endpoints: readonly Endpoint[];
  /** A model that fails on some calls and answers like `echo` (or `embed`) on the others. */
  readonly faulty: boolean;
  readonly params: ParamDefinitions;
}

const TEXT = ["chat", "completions"] as const;
const ALL = ["chat", "completions", "embeddings"] as const;

/** Every model takes these. */
export const TIMING: ParamDefinitions = pacing({ ttft: 0, tokens_per_second: 0 });

function pacing(defaults: { ttft: number; tokens_per_second: number }) {
  return {
    delay: duration(0, "Wait before the response headers."),
    ttft: duration(defaults.ttft, "Wait between a stream's headers and its first content."),
    tokens_per_second: real(
      defaults.tokens_per_second,
      { min: 0, max: 100_000 },
      "Pace of the content; 0 sends as fast as it is read.",
    ),
  };
}

/** Every faulty model takes these: which calls fail. */
export const GATE: ParamDefinitions = {
  rate: real(1, { min: 0, max: 1 }, "Share of calls that fail, drawn from the seeded sequence."),
  seed: integer(
    0,
    { min: Number.MIN_SAFE_INTEGER, max: Number.MAX_SAFE_INTEGER },
    "Starts the sequence of draws; each seed has its own sequence and call count.",
  ),
  skip: integer(0, { min: 0, max: 1e9 }, "Calls that succeed before the first may fail."),
  times: integer(0, { min: 0, max: 1e9 }, "Calls that may fail; 0 is all of them."),
};

const after = (value: number, description: string): ParamDefinition =>
  integer(value, { min: 0, max: 1e9 }, description);
const tokens = (value: number): ParamDefinition =>
  integer(value, { min: 1, max: 10_000_000 }, "Length of the answer in tokens.");

function sound(summary: string, endpoints: readonly Endpoint[], params: ParamDefinitions = {}) {
  return { summary, endpoints, faulty: false, params: { ...TIMING, ...params } };
}

function faulty(summary: string, endpoints: readonly Endpoint[], params: ParamDefinitions = {}) {
  return { summary, endpoints, faulty: true, params: { ...TIMING, ...GATE, ...params } };
}

export const MODELS = {
  echo: sound("Answers with the last user message, verbatim.", TEXT),
  story: sound("A long English text without loops.", TEXT, { tokens: tokens(200) }),
  tools: sound("Calls the first tool it is given, then answers with the tool's result.", ["chat"], {
    calls: integer(1, { min: 1, max: 8 }, "Tool calls in one answer, over the tools in turn."),
    fragments: integer(
      4,
      { min: 1, max: 64 },
      "Pieces a call's arguments are streamed in; 1 puts the whole call into one chunk.",
    ),
  }),
  embed: sound("Unit vectors that depend only on the text.", ["embeddings"]),
  slow: {
    summary: "Answers like `echo` or `embed`, slowly.",
    endpoints: ALL,
    faulty: false,
    params: pacing({ ttft: 2000, tokens_per_second: 5 }),
  },
  empty: faulty("A 200 without an answer.", ALL, {
    form: choice(
      ["blank", "whitespace", "reasoning", "choices"],
      "`blank` text, `whitespace` only, `reasoning` only, or no `choices` at all.",
    ),
  }),
  mojibake: faulty("A text whose encoding was broken on the way.", TEXT, {
    form: choice(
      ["latin1", "windows-1252", "replacement", "invalid"],
      "UTF-8 read as `latin1` or `windows-1252`, characters lost to U+FFFD (`replacement`), or bytes that are not UTF-8 (`invalid`).",
    ),
    layers: integer(1, { min: 1, max: 3 }, "How often the text was read wrongly."),
  }),
  stall: faulty("Accepts the request, then sends nothing more and stays connected.", ALL, {
    form: choice(
      ["headers", "first_token", "middle"],
      "Silent before the response `headers`, before the `first_token`, or in the `middle`.",
    ),
    after: after(3, "Tokens sent before the silence of `middle`."),
  }),
  cut: faulty("The connection ends before the answer does.", ALL, {
    form: choice(
      ["reset", "eof", "done"],
      "A connection `reset`, a clean `eof`, or `[DONE]` without a `finish_reason` (`done`; `eof` where nothing is streamed).",
    ),
    after: after(3, "Tokens sent before the end."),
  }),
  loop: faulty("Says the same sentence again and again until the token limit.", TEXT, {
    after: after(12, "Tokens of sound text before the loop."),
    tokens: tokens(512),
  }),
  refuse: faulty("Declines to answer.", TEXT, {
    form: choice(
      ["text", "field", "content_filter"],
      "A refusal as `text`, in the message's `refusal` `field`, or an answer ended by `content_filter`.",
    ),
  }),
  status: faulty("An HTTP error with a body as vendors write it.", ALL, {
    code: integer(
      null,
      { min: 400, max: 599 },
      "Status. Default: the usual one of `form`; 500 for `plain`.",
    ),
    form: choice(
      [
        "plain",
        "context_length",
        "unsupported_parameter",
        "model_not_found",
        "moderation",
        "quota",
        "html",
      ],
      "What the body says: `plain` fits the status, `html` is a gateway's page.",
    ),
    retry_after: real(
      null,
      { min: 0, max: 1e9 },
      "Seconds in a `retry-after` header, rounded up. Default: no header.",
    ),
  }),
  badjson: faulty("A 200 whose body cannot be read.", ALL, {
    form: choice(
      ["truncated", "html"],
      "JSON that stops in the middle (in a stream: of one event), or an `html` page.",
    ),
    after: after(0, "Tokens sent before the broken event."),
  }),
  error200: faulty("An error object where a 200 promised an answer.", ALL, {
    code: integer(502, { min: 400, max: 599 }, "The status the error speaks of."),
    form: choice(
      ["openai", "openrouter"],
      "A bare `error`, or one beside `choices` that finish with `error`.",
    ),
    after: after(0, "Tokens sent before the error event; nothing but the error if not streamed."),
  }),
  drift: faulty("Starts in English and goes on in another language.", TEXT, {
    language: choice(["es", "pt", "fr", "de", "it", "ru", "zh"], "The language it drifts into."),
    after: after(20, "English tokens before the drift."),
  }),
  leak: faulty("Lets markup through that belongs between model and server.", TEXT, {
    form: choice(
      ["template", "reasoning", "tool"],
      "A chat `template` marker, `reasoning` tags, or a `tool` call as text.",
    ),
  }),
} as const satisfies Record<string, SimulatedModel>;

export type ModelName = keyof typeof MODELS;

export function isModelName(name: string): name is ModelName {
  return Object.hasOwn(MODELS, name);
}

/**
 * Parameters of other models that `name` does not take: most likely a mistake. OpenAI's own `seed`
 * is none, since any client may send it.
 */
export function foreignParams(name: ModelName): readonly string[] {
  const own = MODELS[name].params;
  const all = new Set(Object.values(MODELS).flatMap(({ params }) => Object.keys(params)));
  return [...all].filter((param) => param !== "seed" && !Object.hasOwn(own, param));
}
