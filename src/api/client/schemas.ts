import { Type } from "@sinclair/typebox";

import { RouteBlock } from "../../address/block.ts";

/** Wire bodies list only what the router reads; everything else passes through untouched. */
const open = { additionalProperties: true };

const BLOCK_DESCRIPTION = "Overrides `model`; removed before anything is sent on.";

/** What the router reads of every client body. */
const routed = {
  model: Type.Optional(
    Type.String({
      description:
        "`auto`, `pool:name`, a spec such as `openai:gpt-5`, an alias, or a bare model name. Default: `auto`.",
      expected: "it must be a string such as `auto`, `pool:main` or a model name",
    }),
  ),
  /** Checked where it is read; here it is only described. */
  veriroute: Type.Optional(Type.Unknown({ ...RouteBlock, description: BLOCK_DESCRIPTION })),
};

const stream = Type.Optional(
  Type.Union([Type.Boolean(), Type.Null()], {
    description: "True for server-sent events.",
    expected: "it must be true or false",
  }),
);

export const ChatBody = Type.Object(
  {
    ...routed,
    messages: Type.Array(
      Type.Object({}, { ...open, expected: "each message must be an object with `role`" }),
      {
        minItems: 1,
        description: "The conversation so far.",
        expected: "it must be a list of at least one message",
      },
    ),
    stream,
  },
  open,
);

export const CompletionsBody = Type.Object(
  {
    ...routed,
    prompt: Type.Union([Type.String(), Type.Array(Type.Unknown(), { minItems: 1 })], {
      description: "Text, texts, or token numbers.",
      expected: "it must be a text or a list of at least one text or token",
    }),
    stream,
  },
  open,
);

export const EmbeddingsBody = Type.Object(
  {
    ...routed,
    input: Type.Union([Type.String(), Type.Array(Type.Unknown(), { minItems: 1 })], {
      description: "Text, texts, or token numbers.",
      expected: "it must be a text or a list of at least one text or token list",
    }),
  },
  open,
);

const conversation = Type.Array(Type.Object({}, open), {
  minItems: 1,
  description: "Turns of `user` and `assistant`, each with a text or content blocks.",
});

/** Described here; `checkMessagesBody` checks it. */
const countedMembers = {
  ...routed,
  messages: conversation,
  system: Type.Optional(Type.Unknown({ description: "A text or text blocks." })),
  tools: Type.Optional(Type.Array(Type.Object({}, open))),
};

export const CountedBody = Type.Object(countedMembers, open);

export const MessagesBody = Type.Object(
  {
    ...countedMembers,
    max_tokens: Type.Integer({ minimum: 1, description: "The most tokens to answer with." }),
    stream,
  },
  open,
);

/** Described here; `checkResponsesBody` checks it. */
export const ResponsesBody = Type.Object(
  {
    ...routed,
    input: Type.Union([Type.String(), Type.Array(Type.Object({}, open))], {
      description: "A text, or items of the conversation.",
    }),
    instructions: Type.Optional(Type.Union([Type.String(), Type.Null()])),
    stream,
  },
  open,
);

/** The body of any client route, of which a plan needs no more than this. */
export const RoutedBody = Type.Object({ ...routed, stream }, open);
