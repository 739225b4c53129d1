import { describe, expect, test } from "bun:test";

import { BAD_ANSWERS, MOJIBAKE, says } from "../support/bad-answers.ts";
import { type Behaviour, failing, fine, startFleet } from "../support/behaving-fleet.ts";
import { chat } from "../support/router.ts";
import { completion } from "../support/scripted-upstream.ts";

const PROMPT = "What do you see?";
const asked = (more: object = {}) => ({
  ...chat("pool:main"),
  messages: [{ role: "user", content: PROMPT }],
  ...more,
});
const post = (fleet: Awaited<ReturnType<typeof startFleet>>, more: object = {}) =>
  fleet.router.post("/v1/chat/completions", asked(more));
const empty = says("");

const halfEmpty: Behaviour = (wire) =>
  wire.json(
    completion("", {
      choices: ["hi", ""].map((content, index) => ({
        index,
        message: { role: "assistant", content },
        finish_reason: "stop",
      })),
    }),
  );

const broken: Behaviour = (wire) => {
  const [head = "", tail = ""] = JSON.stringify(completion("caf@ au lait")).split("@");
  const body = Buffer.concat([Buffer.from(head), Buffer.from([0xe9]), Buffer.from(tail)]);
  wire.head(200, { "content-type": "application/json", connection: "close" });
  wire.write(body);
  wire.end();
};

const answering =
  (text: string): Behaviour =>
  (wire) =>
    wire.json({
      id: "c",
      object: "text_completion",
      choices: [{ index: 0, text, finish_reason: "stop" }],
    });

describe("a whole answer with", () => {
  test.each([...BAD_ANSWERS])(
    "$name is replaced by the next target's, unseen",
    async ({ content, saying, request, kind, found }) => {
      await using fleet = await startFleet({ a: says(content, saying), b: says('{"age":34}') });

      const { target, status, decision } = await fleet.ask({
        more: { ...request, messages: [{ role: "user", content: PROMPT }] },
      });

      expect({ target, status, degraded: decision.degraded }).toEqual({
        target: "b:m",
        status: 200,
        degraded: false,
      });
      expect(decision.attempts).toMatchObject([
        {
          target: "a:m",
          kind,
          status: 200,
          usage: { input_tokens: 3, output_tokens: 2 },
          verification: { ...found, model_attributable: 1, trips: true },
        },
        { target: "b:m", kind: "ok", verification: { verdict: "ok", signature: null } },
      ]);
    },
  );

  test.each([...BAD_ANSWERS])(
    "$name is given after all if nobody does better, and the decision says that it is doubtful",
    async ({ content, saying, request, kind }) => {
      await using fleet = await startFleet({ a: says(content, saying), b: failing });

      const response = await post(fleet, request);
      const { veriroute, choices } = JSON.parse(await response.text());
      const told = await fleet.router.admin(`/admin/v1/decisions/${veriroute.decision_id}`);

      expect(choices[0].message.content).toBe(content);
      expect(veriroute).toMatchObject({ served: "a:m", attempts: 3, fallback: false });
      expect(response.headers.get("x-veriroute-target")).toBe("a:m");
      expect(told).toMatchObject({
        outcome: "ok",
        served: "a:m",
        degraded: true,
        usage: { input_tokens: 3, output_tokens: 2 },
        attempts: [{ kind }, { target: "b:m", kind: "server" }, { target: "b:m", kind: "server" }],
      });
    },
  );
});

const secondPrompt = "Что ты видишь?";

/** Answers that look bad and are nobody's fault, or no fault at all; each with its verdict. */
const SPARED: readonly {
  name: string;
  content: string;
  saying?: Parameters<typeof says>[1];
  request?: object;
  verification: object;
}[] = [
  {
    name: "mojibake after a prompt that is not ASCII",
    content: MOJIBAKE,
    request: { messages: [{ role: "user", content: secondPrompt }] },
    verification: {
      verdict: "mangled",
      signature: "mojibake",
      model_attributable: 0,
      trips: false,
    },
  },
  {
    name: "mojibake after a tool result that is not ASCII",
    content: MOJIBAKE,
    request: {
      messages: [
        { role: "user", content: PROMPT },
        { role: "tool", tool_call_id: "c", content: "naïve" },
      ],
    },
    verification: { verdict: "mangled", model_attributable: 0, trips: false },
  },
  {
    name: "a refusal",
    content: "I'm sorry, but I can't help with that request.",
    verification: { verdict: "refusal", signature: "refusal_text", trips: false },
  },
  {
    name: "a vendor's filter",
    content: "",
    saying: { finish: "content_filter" },
    verification: { verdict: "refusal", signature: "content_filter", trips: false },
  },
  {
    name: "a turn of tool calls beside broken text",
    content: "",
    saying: {
      finish: "tool_calls",
      message: {
        tool_calls: [
          { index: 0, id: "c", type: "function", function: { name: "f", arguments: "{}" } },
        ],
      },
    },
    verification: { verdict: "unverifiable", signature: null, trips: false },
  },
  {
    name: "silence at the client's own cap",
    content: "",
    saying: { finish: "length", usage: { prompt_tokens: 3, completion_tokens: 64 } },
    request: { max_tokens: 64 },
    verification: { verdict: "client_capped", signature: "client_capped_empty", trips: false },
  },
  {
    name: "text cut at the client's cap",
    content: "It was a dark and",
    saying: { finish: "length" },
    request: { max_tokens: 2 },
    verification: { verdict: "client_capped", signature: "client_capped_text", trips: false },
  },
  {
    name: "Japanese",
    content: "海はとても静かで、船はゆっくりと岸へ流れていきました。",
    verification: { verdict: "ok", signature: null, detail: "beyond ASCII", trips: false },
  },
  {
    name: "JSON cut at the client's cap where JSON was promised",
    content: '{"age":',
    saying: { finish: "length" },
    request: { max_tokens: 2, response_format: { type: "json_object" } },
    verification: { verdict: "client_capped", signature: "client_capped_json", trips: false },
  },
];

test.each(SPARED.flatMap((row) => [row, { ...row, name: `${row.name}, streamed`, stream: true }]))(
  "$name reaches the client, is recorded, and blames nobody",
  async ({ content, saying, request, verification, ...row }) => {
    await using fleet = await startFleet({ a: says(content, saying), b: fine });
    const stream = "stream" in row;

    const { status, target, decision } = await fleet.ask({
      stream,
      more: { messages: [{ role: "user", content: PROMPT }], ...request },
    });

    expect({ status, target, degraded: decision.degraded }).toEqual({
      status: 200,
      target: "a:m",
      degraded: false,
    });
    expect(decision.attempts).toMatchObject([{ target: "a:m", verification }]);
    expect(await fleet.router.admin("/admin/v1/breakers/suspicions")).toMatchObject({ items: [] });
  },
);

test("a prompt that is ASCII only because it is escaped is not ASCII", async () => {
  await using fleet = await startFleet({ a: says("It\uFFFDs late"), b: fine });
  const body = String.raw`{"model":"pool:main","messages":[{"role":"user","content":"caf\u00e9?"}]}`;

  const response = await fleet.router.post("/v1/chat/completions", body);

  expect(response.headers.get("x-veriroute-target")).toBe("a:m");
});

describe("when every target answers badly", () => {
  test.each<{ name: string; answers: Record<string, Behaviour>; served: string }>([
    {
      name: "the one that still can be read is given",
      answers: { a: says("x ".repeat(2000), { finish: "length" }), b: says(MOJIBAKE), c: failing },
      served: "b:m",
    },
    {
      name: "the first of equals is given",
      answers: { a: says(MOJIBAKE), b: says(MOJIBAKE), c: says(MOJIBAKE) },
      served: "a:m",
    },
    {
      name: "an empty one counts as no answer",
      answers: { a: empty, b: says(MOJIBAKE), c: empty },
      served: "b:m",
    },
  ])("$name", async ({ answers, served }) => {
    await using fleet = await startFleet(answers);

    const { target, status, degraded } = await fleet.ask();

    expect({ target, status, degraded }).toEqual({ target: served, status: 200, degraded: true });
  });

  test("and all are empty, that is an error", async () => {
    await using fleet = await startFleet({ a: empty, b: empty });

    expect(await fleet.ask()).toMatchObject({
      status: 502,
      code: "upstream_empty",
      degraded: false,
    });
  });

  test("a refusal comes before a bad answer, where refusals move on", async () => {
    const refusal = says("", { message: { refusal: "no" } });
    await using fleet = await startFleet(
      { a: says(MOJIBAKE), b: refusal },
      { config: '[routing]\non_refusal = "failover"\n' },
    );

    expect(await fleet.ask()).toMatchObject({ target: "b:m", status: 200, degraded: false });
  });
});

test("a rescue asks no more targets than `max_attempts`", async () => {
  await using fleet = await startFleet(
    { a: says(MOJIBAKE), b: says(MOJIBAKE), c: fine },
    { config: "[routing]\nmax_attempts = 2\n" },
  );

  expect(await fleet.ask()).toMatchObject({ target: "a:m", degraded: true });
  expect(fleet.calls("c")).toBe(0);
});

test("a rescue is over at the deadline: the doubtful answer is better than none", async () => {
  await using fleet = await startFleet(
    { a: says(MOJIBAKE), b: () => undefined },
    { config: '[routing]\ndeadline = "300ms"\n' },
  );

  expect(await fleet.ask()).toMatchObject({
    target: "a:m",
    status: 200,
    degraded: true,
    attempts: ["a:m mangled", "b:m timeout"],
  });
});

test("a bad answer is a sign of life: a breaker that failures opened closes with it", async () => {
  await using fleet = await startFleet({ a: failing, b: fine });
  for (let n = 0; n < 5; n++) {
    await fleet.ask();
    fleet.clock.move(11_000);
  }
  const during = await fleet.router.admin("/admin/v1/breakers");
  fleet.set("a", says(MOJIBAKE));
  fleet.clock.move(60_000);

  const { attempts } = await fleet.ask();

  expect(during).toMatchObject({ items: [{ subject: "a:m", cause: "failure_rate" }] });
  expect(attempts).toEqual(["a:m mangled", "b:m ok"]);
  expect(await fleet.router.admin("/admin/v1/breakers")).toMatchObject({ items: [] });
});

test("a choice that says nothing beside one that does is a bad answer, but no empty one", async () => {
  await using fleet = await startFleet({ a: halfEmpty, b: failing });

  const { status, target, decision } = await fleet.ask({ more: { n: 2 } });

  expect({ status, target }).toEqual({ status: 200, target: "a:m" });
  expect(decision.attempts[0]).toMatchObject({
    kind: "bad_output",
    verification: { signature: "empty_200" },
  });
});

test("bytes that are no UTF-8 are told from characters that were lost before", async () => {
  await using fleet = await startFleet({ a: broken, b: fine });

  const { target, decision } = await fleet.ask();

  expect(target).toBe("b:m");
  expect(decision.attempts[0]).toMatchObject({
    kind: "mangled",
    verification: { signature: "invalid_utf8", scope: "provider" },
  });
});

describe("legacy completions", () => {
  test("are judged too", async () => {
    await using fleet = await startFleet({ a: answering(MOJIBAKE), b: answering("fine") });

    const response = await fleet.router.post("/v1/completions", {
      model: "pool:main",
      prompt: "Say something",
    });

    expect(JSON.parse(await response.text()).choices[0].text).toBe("fine");
  });
});
