/** The wire formats that the vendors of the client tests speak. */
export type Wire = "chat" | "messages" | "responses";

export interface Call {
  readonly id: string;
  readonly name: string;
  readonly input: object;
}

/** What a vendor does with a request, before it is put into a dialect. */
export type Played =
  | { readonly kind: "say"; readonly text: string; readonly thought?: string }
  | { readonly kind: "call"; readonly calls: readonly Call[] }
  | { readonly kind: "fail"; readonly failure: Failure }
  /** Says this much, then an error event. */
  | { readonly kind: "break"; readonly text: string }
  /** Says this much, then the connection ends. */
  | { readonly kind: "cut"; readonly text: string }
  /** Says this much, then nothing more. */
  | { readonly kind: "hang"; readonly text: string };

export type Failure = "credit" | "rate" | "rate_wait" | "unavailable" | "context";

/** What the script reads of a request in any dialect. */
export interface SeenTalk {
  readonly wire: Wire;
  /** Names of the tools that may be called. */
  readonly tools: readonly string[];
  /** Texts of the tool results in it, the latest last. */
  readonly results: readonly string[];
  /** Media type and size of every image; a link stands for itself. */
  readonly images: readonly string[];
  /** A JSON schema was asked for. */
  readonly has_schema: boolean;
}

export const USAGE = { input: 11, output: 7 } as const;

const FAILURES: Readonly<Record<string, Failure>> = {
  e402: "credit",
  e429: "rate",
  "e429-wait": "rate_wait",
  e503: "unavailable",
  context: "context",
};

const OSLO: Call = { id: "call_oslo1", name: "weather", input: { city: "Oslo" } };
const ROME: Call = { id: "call_rome2", name: "weather", input: { city: "Rome" } };

/** What the vendor of `model` does with a request: the model's name is the story. */
export function play(model: string, talk: SeenTalk): Played {
  const name = model.replace(/-(whole|stream)$/, "");
  const failure = FAILURES[name];
  if (failure) return { kind: "fail", failure };
  const story = STORIES[name];
  return story?.(talk) ?? { kind: "say", text: `Hello from ${talk.wire}, naïve — ✓` };
}

/** What an agent is told to run, whatever it calls its shell. */
const COMMAND = "echo veriroute-$((40 + 2))";
const SHELLS: Readonly<Record<string, object>> = {
  bash: { command: COMMAND, description: "Prints a word" },
  exec_command: { cmd: COMMAND },
};

/** Has an agent run a command and repeats what that printed; titles and the like get a word. */
function agent(talk: SeenTalk): Played {
  const shell = talk.tools.find((name) => name in SHELLS);
  if (shell === undefined) return { kind: "say", text: "A title" };
  if (talk.results.length > 0) return sum(talk);
  return { kind: "call", calls: [{ id: "call_shell1", name: shell, input: SHELLS[shell] ?? {} }] };
}

/** Answers by the schema; some clients ask for that by a tool of this name instead. */
function structured({ has_schema, tools }: SeenTalk): Played {
  if (has_schema) return { kind: "say", text: '{"city":"Oslo"}' };
  return tools.includes("json")
    ? { kind: "call", calls: [{ ...OSLO, name: "json" }] }
    : { kind: "say", text: "no schema came" };
}

const STORIES: Readonly<Record<string, (talk: SeenTalk) => Played>> = {
  tools: (talk) => (talk.results.length === 0 ? calls(talk, OSLO) : sum(talk)),
  parallel: (talk) => (talk.results.length === 0 ? calls(talk, OSLO, ROME) : sum(talk)),
  images: ({ images }) => ({ kind: "say", text: `I see ${images.join(", ") || "no image"}` }),
  json: structured,
  thinks: () => ({ kind: "say", text: "Forty-two.", thought: "Six times seven." }),
  breaks: () => ({ kind: "break", text: "Half an" }),
  cuts: () => ({ kind: "cut", text: "Half an" }),
  agent,
  hangs: () => ({ kind: "hang", text: "first" }),
};

function calls({ tools }: SeenTalk, ...wanted: readonly Call[]): Played {
  const known = wanted.filter(({ name }) => tools.includes(name));
  return known.length === wanted.length
    ? { kind: "call", calls: known }
    : { kind: "say", text: `no tool of that name among ${tools.join(", ") || "none"}` };
}

const sum = ({ results }: SeenTalk): Played => ({
  kind: "say",
  text: `The tool said: ${results.join(" and ")}`,
});
