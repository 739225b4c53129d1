import {
  argumentsOf,
  dataFrame,
  type Form,
  halves,
  openAiFailure,
  type Said,
  TOTAL,
  words,
} from "./form.ts";
import { type Call, USAGE } from "./played.ts";

const head = { id: "chatcmpl-7", created: 1_700_000_000, model: "m" };
const usage = {
  prompt_tokens: USAGE.input,
  completion_tokens: USAGE.output,
  total_tokens: TOTAL,
};
const finish = ({ calls }: Said) => (calls.length > 0 ? "tool_calls" : "stop");

function chunk(delta: object, finish_reason: string | null = null): string {
  const choices = [{ index: 0, delta, finish_reason }];
  return dataFrame({ ...head, object: "chat.completion.chunk", choices });
}

const error = { message: "the vendor broke", type: "server_error", code: null };

export const chatForm: Form = {
  whole(said) {
    const tool_calls = said.calls.map((call) => wholeCall(call));
    const message = {
      role: "assistant",
      content: said.text,
      ...(said.thought !== null && { reasoning_content: said.thought }),
      ...(tool_calls.length > 0 && { tool_calls }),
    };
    const choices = [{ index: 0, message, finish_reason: finish(said) }];
    return { ...head, object: "chat.completion", choices, usage };
  },

  frames: ({ text, thought, calls }) =>
    [
      chunk({ role: "assistant", content: "" }),
      ...words(thought ?? "").map((word) => chunk({ reasoning_content: word })),
      ...words(text ?? "").map((word) => chunk({ content: word })),
      ...calls.flatMap((call, index) => callChunks(call, index)),
    ].join(""),

  ending(said) {
    const counted = dataFrame({ ...head, object: "chat.completion.chunk", choices: [], usage });
    return `${chunk({}, finish(said))}${counted}data: [DONE]\n\n`;
  },

  breaking: `${dataFrame({ error })}data: [DONE]\n\n`,
  failure: openAiFailure,
};

const wholeCall = (call: Call) => ({
  id: call.id,
  type: "function",
  function: { name: call.name, arguments: argumentsOf(call) },
});

function callChunks(call: Call, index: number): readonly string[] {
  const opened = {
    index,
    id: call.id,
    type: "function",
    function: { name: call.name, arguments: "" },
  };
  return [
    chunk({ tool_calls: [opened] }),
    ...halves(argumentsOf(call)).map((half) =>
      chunk({ tool_calls: [{ index, function: { arguments: half } }] }),
    ),
  ];
}
