import { describe, expect, test } from "bun:test";

import { BAD_ANSWERS, framesOf, MOJIBAKE, says } from "../support/bad-answers.ts";
import { fine, startFleet } from "../support/behaving-fleet.ts";
import { chat } from "../support/router.ts";

const MODES =
  '[profiles.watch]\nverify = "observe"\nhold_back = true\n[profiles.blind]\nverify = "off"\n';
const more = (profile: string) => ({ veriroute: { profile } });

describe("a profile that only observes", () => {
  test.each([...BAD_ANSWERS])(
    "gives $name to the client, and it counts",
    async ({ content, saying, request, kind, found }) => {
      await using fleet = await startFleet(
        { a: says(content, saying), b: fine },
        { config: MODES },
      );

      const { target, decision } = await fleet.ask({ more: { ...request, ...more("watch") } });

      expect(target).toBe("a:m");
      expect(decision).toMatchObject({
        degraded: false,
        attempts: [{ kind, verification: { ...found, trips: true } }],
      });
      expect(await fleet.router.admin("/admin/v1/breakers/suspicions")).toMatchObject({
        items: [{ signature: found.signature, hits: 1 }],
      });
    },
  );

  test.each([{ stream: false }, { stream: true }])(
    "passes an empty answer on, stream: $stream",
    async ({ stream }) => {
      await using fleet = await startFleet({ a: says(""), b: fine }, { config: MODES });

      const { status, decision } = await fleet.ask({ stream, more: more("watch") });

      expect(status).toBe(200);
      expect(decision).toMatchObject({
        served: "a:m",
        attempts: [{ kind: "malformed_empty", verification: { signature: "empty_200" } }],
      });
    },
  );

  test("holds no stream back", async () => {
    await using fleet = await startFleet({ a: says(MOJIBAKE), b: fine }, { config: MODES });

    const { target } = await fleet.ask({ stream: true, more: more("watch") });

    expect(target).toBe("a:m");
  });
});

describe("a profile that does not verify", () => {
  test.each([
    { name: "mojibake", content: MOJIBAKE, stream: false },
    { name: "mojibake, streamed", content: MOJIBAKE, stream: true },
    { name: "nothing", content: "", stream: false },
    { name: "nothing, streamed", content: "", stream: true },
  ])("passes $name on, and nobody has looked", async ({ content, stream }) => {
    await using fleet = await startFleet({ a: says(content), b: fine }, { config: MODES });

    const { target, decision } = await fleet.ask({ stream, more: more("blind") });

    expect(target).toBe("a:m");
    expect(decision.attempts).toMatchObject([{ kind: "ok", verification: null }]);
    expect(await fleet.router.admin("/admin/v1/breakers/suspicions")).toMatchObject({ items: [] });
  });

  test("still takes an error with status 200 for one, and a window too full for a prompt too long", async () => {
    const dressed = '{"error":{"message":"overloaded","code":503}}';
    await using fleet = await startFleet(
      { a: (wire) => wire.json(dressed), b: fine },
      { config: MODES },
    );

    expect((await fleet.ask({ more: more("blind") })).target).toBe("b:m");
    fleet.clock.move(600_000);
    fleet.set("a", says("", { finish: "model_context_window_exceeded" }));
    const { attempts } = await fleet.ask({ more: more("blind") });
    expect(attempts).toEqual(["a:m context_length", "b:m ok"]);
  });
});

test("a signature that is ignored is recorded, and nothing more", async () => {
  await using fleet = await startFleet(
    { a: says(MOJIBAKE), b: fine },
    { config: '[verifier]\nignore = ["mojibake"]\n' },
  );

  const whole = await fleet.ask();
  const streamed = await fleet.router.post(
    "/v1/chat/completions",
    chat("pool:main", { stream: true }),
  );

  expect(whole.target).toBe("a:m");
  expect(whole.decision).toMatchObject({
    degraded: false,
    attempts: [{ kind: "ok", verification: { signature: "mojibake" } }],
  });
  expect(await streamed.text()).toBe(framesOf(MOJIBAKE).join(""));
});

test("a provider that declares inline reasoning is not blamed for it", async () => {
  const thinking = says("<think>The sea, then.</think>The sea.");
  const orphan = says("The sea, then.</think>The sea.");
  await using fleet = await startFleet(
    { a: thinking, b: fine },
    { each: "inline_reasoning = true" },
  );

  const whole = await fleet.ask();
  fleet.set("a", orphan);
  const half = await fleet.ask();
  fleet.set("a", says("<think>The sea, then.</think>"));
  const nothing = await fleet.ask();

  expect(whole.decision.attempts).toMatchObject([
    { verification: { signature: "reasoning_inline" } },
  ]);
  expect(half.target).toBe("a:m");
  expect(nothing).toMatchObject({ target: "b:m", attempts: ["a:m malformed_empty", "b:m ok"] });
});

test("a cap that a pool sets explains a cut as one of the client does", async () => {
  await using fleet = await startFleet(
    { a: says("", { finish: "length", usage: { completion_tokens: 8 } }), b: fine },
    { config: '[pools.capped]\ntargets = ["a:m?max_tokens=8", "b:m"]\n' },
  );

  const { target, decision } = await fleet.ask({ model: "pool:capped" });

  expect(target).toBe("a:m");
  expect(decision.attempts).toMatchObject([{ verification: { verdict: "client_capped" } }]);
});
