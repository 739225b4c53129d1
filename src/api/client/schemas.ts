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

/** The body of any client route, of which a plan needs no more than this. */
export const RoutedBody = Type.Object({ ...routed, stream }, open);

export const BODY_OF = {
  chat: ChatBody,
  completions: CompletionsBody,
  embeddings: EmbeddingsBody,
} as const;
