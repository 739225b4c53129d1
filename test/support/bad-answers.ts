import type { Behaviour } from "./behaving-fleet.ts";
import { chunk, completion } from "./scripted-upstream.ts";

interface Saying {
  readonly finish?: string;
  /** Further members of the message. */
  readonly message?: object;
  readonly usage?: object;
}

/** Answers with this text, whole or streamed in deltas of a few units. */
export function says(content: string, { finish = "stop", ...more }: Saying = {}): Behaviour {
  return (wire, stream) => {
    const { message = {}, usage = { prompt_tokens: 3, completion_tokens: 2 } } = more;
    if (!stream) {
      const choices = [
        { index: 0, message: { role: "assistant", content, ...message }, finish_reason: finish },
      ];
      return wire.json(completion("", { choices, usage }));
    }
    wire.sse();
    wire.write(framesOf(content, { finish, message, usage }).join(""));
    wire.end();
  };
}

/** The frames of a stream that says this. */
export function framesOf(
  content: string,
  { finish = "stop", message = {}, usage }: Saying = {},
): readonly string[] {
  const deltas = content.match(/[^]{1,5}/gu) ?? [];
  return [
    chunk({ role: "assistant", content: "", ...message }),
    ...deltas.map((delta) => chunk({ content: delta })),
    chunk({}, finish),
    ...(usage ? [`data: ${JSON.stringify({ choices: [], usage })}\n\n`] : []),
    "data: [DONE]\n\n",
  ];
}

const latin1 = (text: string) => Buffer.from(text, "utf8").toString("latin1");

/** Text whose UTF-8 was read as latin-1 on its way. */
export const MOJIBAKE = latin1("It’s a café — naïve, “quoted” and déjà vu — so là.");

const SENTENCE = "The sea was calm and the boat drifted on towards the shore. ";

const PARAGRAPH = `${SENTENCE}It was late, and the gulls had long gone home to their rocks.`;

/** An answer that a target should be blamed for. */
export interface BadAnswer {
  readonly name: string;
  readonly content: string;
  readonly saying?: Saying;
  /** Members of the request that it is bad for. */
  readonly request?: object;
  readonly kind: "mangled" | "bad_output";
  readonly found: { readonly verdict: string; readonly signature: string; readonly scope: string };
}

const mangled = (signature: string) => ({
  kind: "mangled" as const,
  found: { verdict: "mangled", signature, scope: "provider" },
});
const bad = (verdict: string, signature: string, scope = "target") => ({
  kind: "bad_output" as const,
  found: { verdict, signature, scope },
});

const SCHEMA = { type: "object", properties: { age: { type: "integer" } }, required: ["age"] };

/** One of each sort, as answers to a plain question in English. */
export const BAD_ANSWERS: readonly BadAnswer[] = [
  { name: "UTF-8 read as latin-1", content: MOJIBAKE, ...mangled("mojibake") },
  {
    name: "UTF-8 read as windows-1252",
    content: "Itâ€™s a cafÃ© â€” naÃ¯ve",
    ...mangled("mojibake"),
  },
  {
    name: "lost characters",
    content: "It\uFFFDs a caf\uFFFD and more of it",
    ...mangled("replacement_char"),
  },
  {
    name: "a loop up to the limit",
    content: SENTENCE.repeat(40),
    saying: { finish: "length" },
    ...bad("degenerate", "repetition_loop"),
  },
  {
    name: "the same answer twice",
    content: `${PARAGRAPH}\n${PARAGRAPH}`,
    ...bad("degenerate", "doubled_output"),
  },
  {
    name: "a template's mark",
    content: `${SENTENCE}<|im_end|>\n<|im_start|>user`,
    ...bad("leak", "chat_template_leak"),
  },
  {
    name: "a gateway's page",
    content: "<!DOCTYPE html><html><head><title>502 Bad Gateway</title></head></html>",
    ...bad("malformed", "html_error_page", "provider"),
  },
  {
    name: "an error as text",
    content: '{"error":{"message":"upstream overloaded","type":"server_error","code":503}}',
    ...bad("malformed", "error_json_as_content", "provider"),
  },
  {
    name: "a call written as text",
    content: '<tool_call>{"name":"look","arguments":{"at":"sea"}}</tool_call>',
    request: { tools: [{ type: "function", function: { name: "look", parameters: {} } }] },
    ...bad("leak", "tool_call_text_leak"),
  },
  {
    name: "no JSON where some was promised",
    content: "Her age is 34.",
    request: { response_format: { type: "json_object" } },
    ...bad("malformed", "structured_invalid"),
  },
  {
    name: "JSON of another shape than promised",
    content: '{"age":"34"}',
    request: {
      response_format: { type: "json_schema", json_schema: { name: "a", schema: SCHEMA } },
    },
    ...bad("malformed", "schema_violation"),
  },
  {
    name: "a call whose arguments are no JSON",
    content: "",
    saying: {
      finish: "tool_calls",
      message: {
        tool_calls: [
          {
            index: 0,
            id: "c1",
            type: "function",
            function: { name: "look", arguments: "{at: sea" },
          },
        ],
      },
    },
    request: { tools: [{ type: "function", function: { name: "look", parameters: {} } }] },
    ...bad("malformed", "tool_json_invalid"),
  },
];
