import { expect, test } from "bun:test";

import { chatQuirks } from "../../../../src/catalog/chat-quirks/find-chat-quirks.ts";
import { classifyHttp } from "../../../../src/health/classify.ts";
import type { JsonObject } from "../../../../src/protocol/openai/fields.ts";
import {
  type ResponsesLesson,
  responsesLessonOf,
} from "../../../../src/protocol/shaping/responses-lesson.ts";
import { shapeForResponses } from "../../../../src/protocol/shaping/shape-responses.ts";

interface Told {
  readonly model?: string;
  readonly lesson?: ResponsesLesson;
  readonly pinned?: boolean;
  readonly has_effort?: boolean;
}

/** The body that a model of OpenAI is sent, and what is said of it. */
function sentTo(body: JsonObject, told: Told = {}) {
  const { model = "gpt-5.4", lesson, pinned = false, has_effort = false } = told;
  const quirks = chatQuirks({ id: "openai", name: "OpenAI" }, model);
  const shaped = shapeForResponses(body, { quirks, lesson, pinned, has_effort });
  if (shaped === null) return { body, edits: [], lossy: [] };
  const { set, remove, edits, lossy } = shaped;
  const changed = Object.entries({ ...body, ...set }).filter(([name]) => !remove.includes(name));
  return { body: Object.fromEntries(changed), edits, lossy };
}

interface Row extends Told {
  readonly what: string;
  readonly body: JsonObject;
  readonly sent: JsonObject;
  readonly edits?: readonly string[];
  readonly lossy?: readonly string[];
}

test.each<Row>([
  {
    what: "a model of which nothing is known gets it as it is",
    body: { reasoning: { effort: "xhigh" }, temperature: 0.5, mystery: 1 },
    sent: { reasoning: { effort: "xhigh" }, temperature: 0.5, mystery: 1 },
  },
  {
    what: "an effort becomes the nearest that the model takes, whatever stands beside it",
    model: "o3",
    body: { reasoning: { effort: "xhigh", summary: "auto" } },
    sent: { reasoning: { effort: "high", summary: "auto" } },
    edits: ["reasoning.effort"],
  },
  {
    what: "an effort that is taken stays",
    model: "o3",
    body: { reasoning: { effort: "low" } },
    sent: { reasoning: { effort: "low" } },
  },
  {
    what: "a model that does not reason is not asked to",
    model: "gpt-4o",
    body: { reasoning: { effort: "low", summary: "auto" }, temperature: 0.5 },
    sent: { temperature: 0.5 },
    lossy: ["reasoning"],
  },
  {
    what: "sampling goes where a model refuses it, without a word where it says nothing",
    model: "o3",
    body: { temperature: 0.5, top_p: 1 },
    sent: {},
    edits: ["top_p"],
    lossy: ["temperature"],
  },
  {
    what: "the words of a client that named the model stay",
    model: "o3",
    pinned: true,
    body: { reasoning: { effort: "xhigh" }, temperature: 0.5 },
    sent: { reasoning: { effort: "xhigh" }, temperature: 0.5 },
  },
  {
    what: "the effort of its spec does not",
    model: "o3",
    pinned: true,
    has_effort: true,
    body: { reasoning: { effort: "xhigh" }, temperature: 0.5 },
    sent: { reasoning: { effort: "high" }, temperature: 0.5 },
    edits: ["reasoning.effort"],
  },
  {
    what: "the effort of its spec is left out alone",
    model: "gpt-4o",
    pinned: true,
    has_effort: true,
    body: { reasoning: { effort: "none", summary: "auto" } },
    sent: { reasoning: { summary: "auto" } },
    lossy: ["reasoning.effort"],
  },
])("$what", ({ body, sent, edits = [], lossy = [], ...told }) => {
  expect(sentTo(body, told)).toEqual({ body: sent, edits: [...edits], lossy: [...lossy] });
});

interface Lesson {
  readonly says: string;
  readonly param?: string;
  readonly status?: number;
  readonly body: JsonObject;
  /** What the model is sent next; null if nothing was taught. */
  readonly next: JsonObject | null;
}

const SETTINGS = {
  input: "hi",
  temperature: 0.5,
  store: false,
  reasoning: { effort: "xhigh", summary: "auto" },
  text: { verbosity: "low", format: { type: "text" } },
  include: ["reasoning.encrypted_content"],
};

const without = (...names: string[]): JsonObject =>
  Object.fromEntries(Object.entries(SETTINGS).filter(([name]) => !names.includes(name)));

test.each<Lesson>([
  {
    says: "Unsupported parameter: 'temperature' is not supported with this model.",
    param: "temperature",
    body: SETTINGS,
    next: without("temperature"),
  },
  {
    says: "Unsupported value: 'xhigh' is not supported with the 'm' model. Supported values are: 'low', 'medium', and 'high'.",
    param: "reasoning.effort",
    body: SETTINGS,
    next: { ...SETTINGS, reasoning: { effort: "high", summary: "auto" } },
  },
  {
    says: "Unsupported parameter: 'reasoning.effort' is not supported with this model.",
    param: "reasoning.effort",
    body: SETTINGS,
    next: without("reasoning"),
  },
  {
    says: "Unsupported parameter: 'reasoning.summary' is not supported with this model.",
    body: SETTINGS,
    next: { ...SETTINGS, reasoning: { effort: "xhigh" } },
  },
  {
    says: "Unsupported parameter: 'text.verbosity' is not supported with this model.",
    param: "text.verbosity",
    body: SETTINGS,
    next: { ...SETTINGS, text: { format: { type: "text" } } },
  },
  {
    says: "Encrypted content is not supported with this model.",
    param: "include",
    body: SETTINGS,
    next: without("include"),
  },
  {
    says: "Unknown parameter: 'store'.",
    status: 422,
    body: SETTINGS,
    next: without("store"),
  },
  {
    says: "Unsupported parameter: 'tools' is not supported with this model.",
    param: "tools",
    body: { ...SETTINGS, tools: [{ type: "web_search" }] },
    next: null,
  },
  { says: "Invalid 'input': it is not supported.", param: "input", body: SETTINGS, next: null },
  {
    says: "Unsupported value: 'xhigh'. Supported values are: 'xhigh' and 'max'.",
    param: "reasoning.effort",
    body: SETTINGS,
    next: null,
  },
  {
    says: "Unsupported parameter: 'temperature' is not supported with this model.",
    status: 500,
    body: SETTINGS,
    next: null,
  },
])("an error teaches what the model is sent next: $says ($status)", (row) => {
  const { says, param = null, status = 400, body, next } = row;
  const answer = JSON.stringify({ error: { message: says, param, code: null } });
  const refusal = classifyHttp({ status, header: () => null, body: answer, now: 0 });
  const lesson = responsesLessonOf(refusal, body);

  expect(lesson === null ? null : sentTo(body, { lesson }).body).toEqual(next);
});
