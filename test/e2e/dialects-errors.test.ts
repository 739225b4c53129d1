import { afterEach, beforeEach, describe, expect, test } from "bun:test";

import { chatForm } from "../support/clients/chat-form.ts";
import type { Form, Said } from "../support/clients/form.ts";
import { messagesForm } from "../support/clients/messages-form.ts";
import type { Failure } from "../support/clients/played.ts";
import { responsesForm } from "../support/clients/responses-form.ts";
import {
  ASKS,
  type DialectRig,
  openDialectRig,
  PATHS,
  type TalkDialect,
  type Vendor,
} from "../support/dialect-rig.ts";
import { eventsOf, readRefusal } from "../support/read-talk.ts";

const DIALECTS: readonly TalkDialect[] = ["chat", "messages", "responses"];
const FORMS: Readonly<Record<TalkDialect, Form>> = {
  chat: chatForm,
  messages: messagesForm,
  responses: responsesForm,
};
const TARGETS: readonly {
  vendor: Vendor;
  target: string;
  wire: (of: TalkDialect) => TalkDialect;
}[] = [
  { vendor: "plain", target: "plain:m", wire: () => "chat" },
  { vendor: "anthropic", target: "anthropic:claude-sonnet-4-6", wire: () => "messages" },
  {
    vendor: "openai",
    target: "openai:gpt",
    wire: (of) => (of === "responses" ? "responses" : "chat"),
  },
];
const PAIRS = TARGETS.flatMap(({ vendor, target, wire }) =>
  DIALECTS.map((dialect) => ({ vendor, target, dialect, wire: wire(dialect) })),
);

let rig: DialectRig;
beforeEach(async () => {
  rig = await openDialectRig({ config: "[routing]\nretries = 0\n" });
});
afterEach(() => rig[Symbol.asyncDispose]());

describe("an upstream's error", () => {
  const ROWS: readonly [Failure, Readonly<Record<TalkDialect, readonly [number, string]>>][] = [
    [
      "credit",
      {
        chat: [402, "insufficient_credits"],
        messages: [402, "billing_error"],
        responses: [400, "insufficient_credits"],
      },
    ],
    [
      "rate",
      {
        chat: [429, "rate_limit_exceeded"],
        messages: [429, "rate_limit_error"],
        responses: [429, "rate_limit_exceeded"],
      },
    ],
    [
      "unavailable",
      {
        chat: [503, "upstream_overloaded"],
        messages: [529, "overloaded_error"],
        responses: [429, "upstream_overloaded"],
      },
    ],
    [
      "context",
      {
        chat: [400, "context_length_exceeded"],
        messages: [400, "invalid_request_error"],
        responses: [400, "context_length_exceeded"],
      },
    ],
  ];
  const CASES = ROWS.flatMap(([failure, wanted]) =>
    PAIRS.map((pair) => ({ failure, ...pair, wanted: wanted[pair.dialect] })),
  );

  test.each(CASES)(
    "$failure of $target reaches a client of $dialect as $wanted",
    async ({ failure, vendor, target, dialect, wire, wanted }) => {
      rig.scripts[vendor] = (line) => {
        const { status, body } = FORMS[wire].failure(failure);
        line.json(body, status);
      };

      const response = await rig.router.post(PATHS[dialect], { model: target, ...ASKS[dialect] });

      const { isOwn, status, word } = await readRefusal(response, dialect);
      expect([isOwn, status, word]).toEqual([true, ...wanted]);
      expect(await rig.decision(response)).toMatchObject({ status, outcome: "failed" });
    },
  );

  test.each([
    { dialect: "chat", words: /maximum context length/ },
    { dialect: "messages", words: /prompt is too long: 5000 tokens > 4096 maximum/ },
    { dialect: "responses", words: /maximum context length/ },
  ] as const)(
    "about a full window has the words that clients of $dialect compact on, whoever says it",
    async ({ dialect, words }) => {
      for (const { vendor, target, wire } of PAIRS.filter((pair) => pair.dialect === dialect)) {
        rig.scripts[vendor] = (line) => line.json(FORMS[wire].failure("context").body, 400);
        const response = await rig.router.post(PATHS[dialect], { model: target, ...ASKS[dialect] });

        expect((await readRefusal(response, dialect)).message).toMatch(words);
      }
    },
  );
});

const SAID: Said = { text: "Half an answer", thought: null, calls: [] };

/** How a stream ends for a client: the name of its last event, its error, and whether chat's marker came. */
function endOf(text: string) {
  const events = eventsOf(text);
  const last = events.at(-1);
  const { response, error } = last?.data ?? {};
  const failed = Object(error ?? Object(response).error);
  return {
    event: last?.event ?? null,
    code: failed.code ?? failed.type ?? null,
    has_done: text.includes("[DONE]"),
    count: events.length,
  };
}

const ENDS = {
  chat: { event: null, has_done: true },
  messages: { event: "error", has_done: false },
  responses: { event: "response.failed", has_done: false },
} as const;

describe("a stream that breaks after its first content ends with an error of its client's dialect", () => {
  test.each(PAIRS)(
    "cut by $target for a client of $dialect",
    async ({ vendor, target, dialect, wire }) => {
      rig.scripts[vendor] = (line) => {
        line.sse();
        line.write(FORMS[wire].frames(SAID));
        line.end();
      };

      const ask = { model: target, stream: true, ...ASKS[dialect] };
      const response = await rig.router.post(PATHS[dialect], ask);
      const end = endOf(await response.text());

      expect(response.status).toBe(200);
      expect(end).toMatchObject(ENDS[dialect]);
      expect(end.count).toBeGreaterThan(1);
      expect(await rig.decision(response)).toMatchObject({
        outcome: "interrupted",
        error_code: "stream_interrupted",
      });
    },
  );

  test.each(PAIRS)(
    "told by $target for a client of $dialect",
    async ({ vendor, target, dialect, wire }) => {
      const form = FORMS[wire];
      rig.scripts[vendor] = (line) => {
        line.sse();
        line.write(form.frames(SAID) + form.breaking);
        line.end();
      };

      const ask = { model: target, stream: true, ...ASKS[dialect] };
      const response = await rig.router.post(PATHS[dialect], ask);

      expect(endOf(await response.text())).toMatchObject(ENDS[dialect]);
      expect(await rig.decision(response)).toMatchObject({ outcome: "interrupted" });
    },
  );

  test("and the numbers of a Responses stream go on, its id is kept", async () => {
    rig.scripts.openai = (line) => {
      line.sse();
      line.write(responsesForm.frames(SAID));
      line.end();
    };

    const ask = { model: "openai:gpt", stream: true, input: "hi" };
    const events = eventsOf(await (await rig.router.post(PATHS.responses, ask)).text());

    const numbers = events.map(({ data }) => data["sequence_number"]);
    expect(numbers).toEqual(numbers.map((_, at) => at));
    expect(Object(events.at(-1)?.data["response"])).toMatchObject({
      id: "resp_7",
      status: "failed",
    });
  });
});

describe("a stream that breaks before its first content is answered with a status", () => {
  test.each(PAIRS)(
    "for $target and a client of $dialect",
    async ({ vendor, target, dialect, wire }) => {
      rig.scripts[vendor] = (line) => {
        line.sse();
        line.write(FORMS[wire].breaking);
        line.end();
      };

      const ask = { model: target, stream: true, ...ASKS[dialect] };
      const response = await rig.router.post(PATHS[dialect], ask);

      expect((await readRefusal(response, dialect)).isOwn).toBe(true);
      expect(response.status).toBeGreaterThanOrEqual(400);
    },
  );
});

describe("headers that went out early", () => {
  test.each(DIALECTS)("leave the error to the stream, for a client of %s", async (dialect) => {
    await rig[Symbol.asyncDispose]();
    const config = '[server]\nkeepalive_after = "30ms"\n[routing]\nretries = 0\n';
    rig = await openDialectRig({ config });
    const isEarly = Promise.withResolvers<void>();
    rig.scripts.plain = async (line) => {
      await isEarly.promise;
      line.json({ error: { message: "Insufficient Balance" } }, 402);
    };

    const ask = { model: "plain:m", stream: true, ...ASKS[dialect] };
    const response = await rig.router.post(PATHS[dialect], ask);
    isEarly.resolve();
    const text = await response.text();

    expect(response.status).toBe(200);
    const isPinged = text.startsWith(
      dialect === "messages" ? 'event: ping\ndata: {"type":"ping"}\n\n' : ": keep-alive\n\n",
    );
    expect(isPinged).toBe(true);
    expect(endOf(text)).toMatchObject({
      ...ENDS[dialect],
      code: {
        chat: "insufficient_credits",
        messages: "billing_error",
        responses: "insufficient_quota",
      }[dialect],
    });
  });
});

test.each(DIALECTS)("a shutdown ends an open stream in the words of %s", async (dialect) => {
  await rig[Symbol.asyncDispose]();
  rig = await openDialectRig({ config: '[server]\ndrain = "10ms"\n' });
  rig.scripts.plain = (line) => {
    line.sse();
    line.write(chatForm.frames(SAID));
  };
  const ask = { model: "plain:m", stream: true, ...ASKS[dialect] };
  const response = await rig.router.post(PATHS[dialect], ask);

  const [text] = await Promise.all([response.text(), rig.router.app.stop()]);

  expect(endOf(text)).toMatchObject(ENDS[dialect]);
});

test("with nobody to answer each dialect is told in the way that its clients wait for", async () => {
  await rig[Symbol.asyncDispose]();
  rig = await openDialectRig({ config: '[pools.none]\ntargets = ["groq:m"]\n' });

  const seen: unknown[] = [];
  for (const dialect of DIALECTS) {
    const response = await rig.router.post(PATHS[dialect], {
      model: "pool:none",
      ...ASKS[dialect],
    });
    const { status, word } = await readRefusal(response, dialect);
    seen.push([dialect, status, word]);
  }

  expect(seen).toEqual([
    ["chat", 503, "no_target_available"],
    ["messages", 529, "overloaded_error"],
    ["responses", 429, "no_target_available"],
  ]);
});
