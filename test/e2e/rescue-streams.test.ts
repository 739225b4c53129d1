import { describe, expect, test } from "bun:test";

import { framesOf, MOJIBAKE, says } from "../support/bad-answers.ts";
import {
  type Behaviour,
  failing,
  fine,
  type Fleet,
  startFleet,
} from "../support/behaving-fleet.ts";
import { chat } from "../support/router.ts";
import { chunk, streamOf, type Wire } from "../support/scripted-upstream.ts";
import { until } from "../support/until.ts";

const PLAIN = "The sea was calm and the boat drifted on. ";
const HOLDING = '[profiles.careful]\nhold_back = true\n[routing]\ndefault_profile = "careful"\n';

async function ask(fleet: Fleet, more: object = {}) {
  const response = await fleet.router.post(
    "/v1/chat/completions",
    chat("pool:main", { stream: true, ...more }),
  );
  const text = await response.text();
  const id = response.headers.get("x-veriroute-decision");
  const decision = await fleet.router.admin(`/admin/v1/decisions/${id}`);
  return { response, text, target: response.headers.get("x-veriroute-target"), decision };
}

/** Sends frames one after the other, each once `gate` lets it. */
function paced(frames: readonly string[], gate: (index: number) => Promise<unknown>): Behaviour {
  return async (wire) => {
    wire.sse();
    for (const [index, frame] of frames.entries()) {
      await gate(index);
      wire.write(frame);
    }
    wire.end();
  };
}

describe("a stream whose start looks bad", () => {
  test.each([
    { name: "mojibake", content: MOJIBAKE, kind: "mangled", signature: "mojibake" },
    {
      name: "a gateway's page",
      content: "<!DOCTYPE html><html><head><title>502 Bad Gateway</title></head></html>",
      kind: "bad_output",
      signature: "html_error_page",
    },
    {
      name: "a template's mark",
      content: `<|im_start|>assistant\n${PLAIN}`,
      kind: "bad_output",
      signature: "chat_template_leak",
    },
  ])("with $name is replaced before the client sees any of it", async (row) => {
    await using fleet = await startFleet({ a: says(row.content), b: fine });

    const { text, target, decision } = await ask(fleet);

    expect({ text, target }).toEqual({ text: streamOf("hi"), target: "b:m" });
    expect(decision).toMatchObject({
      degraded: false,
      attempts: [
        {
          target: "a:m",
          kind: row.kind,
          verification: { signature: row.signature, model_attributable: 1 },
        },
        { target: "b:m", kind: "ok" },
      ],
    });
  });

  test("is closed upstream once another answers", async () => {
    await using fleet = await startFleet({
      a: (wire) => {
        wire.sse();
        wire.write(framesOf(MOJIBAKE).slice(0, -2).join(""));
      },
      b: fine,
    });

    await ask(fleet);

    await until(() => fleet.upstreams["a"]?.open() === 0);
  });

  test("goes on from where it was held if nobody else answers, and the decision is degraded", async () => {
    const frames = framesOf(MOJIBAKE + PLAIN.repeat(50));
    await using fleet = await startFleet({ a: says(MOJIBAKE + PLAIN.repeat(50)), b: failing });

    const { text, target, decision } = await ask(fleet);

    expect({ text, target }).toEqual({ text: frames.join(""), target: "a:m" });
    expect(decision).toMatchObject({
      outcome: "ok",
      degraded: true,
      served: "a:m",
      attempts: [
        { target: "a:m", kind: "mangled", verification: { signature: "mojibake" } },
        { target: "b:m", kind: "server" },
        { target: "b:m", kind: "server" },
      ],
    });
  });

  test("is let go of when its client leaves while another is asked", async () => {
    const asked = Promise.withResolvers<void>();
    await using fleet = await startFleet({
      a: (wire) => {
        wire.sse();
        wire.write(framesOf(MOJIBAKE).slice(0, -2).join(""));
      },
      b: () => asked.resolve(),
    });
    const leaving = new AbortController();
    const answer = fleet.router
      .post("/v1/chat/completions", chat("pool:main", { stream: true }), { signal: leaving.signal })
      .catch(() => "left");
    await asked.promise;

    leaving.abort();

    expect(await answer).toBe("left");
    await until(() => fleet.upstreams["a"]?.open() === 0 && fleet.upstreams["b"]?.open() === 0);
    const { items }: { items: { outcome: string; attempts: { kind: string }[] }[] } = JSON.parse(
      await (await fleet.router.get("/admin/v1/decisions?limit=1")).text(),
    );
    expect(items).toMatchObject([
      { outcome: "cancelled", attempts: [{ kind: "mangled" }, { kind: "cancelled" }] },
    ]);
  });

  test("that more of it explains is not replaced", async () => {
    const text = "!important is a keyword of CSS, and this goes on until the start is known.";
    await using fleet = await startFleet({ a: says(text), b: fine });

    expect(await ask(fleet)).toMatchObject({ text: framesOf(text).join(""), target: "a:m" });
  });
});

describe("a stream that has begun to reach the client", () => {
  test.each([
    {
      name: "turns into mojibake",
      content: `${PLAIN.repeat(3)}${MOJIBAKE.repeat(4)}`,
      kind: "mangled",
      signature: "mojibake",
    },
    {
      name: "loops",
      content: PLAIN.repeat(60),
      kind: "bad_output",
      signature: "repetition_loop",
    },
  ])("and then $name is recorded and not replaced", async ({ content, kind, signature }) => {
    await using fleet = await startFleet({ a: says(content, { finish: "length" }), b: fine });

    const { text, target, decision } = await ask(fleet);

    expect(text).toBe(framesOf(content, { finish: "length" }).join(""));
    expect(target).toBe("a:m");
    expect(fleet.calls("b")).toBe(0);
    expect(decision).toMatchObject({
      outcome: "ok",
      degraded: false,
      attempts: [{ kind, status: 200, verification: { signature, trips: true } }],
    });
  });

  test("and ends without a finish is told so, and counts against its target", async () => {
    await using fleet = await startFleet({
      a: (wire) => {
        wire.sse();
        wire.write(framesOf(PLAIN).slice(0, 3).join(""));
        wire.end();
      },
      b: fine,
    });

    const { decision } = await ask(fleet);

    expect(decision).toMatchObject({
      outcome: "interrupted",
      attempts: [{ kind: "stream_interrupted", verification: { signature: "truncated_stream" } }],
    });
  });

  test("and whose client leaves counts against nobody", async () => {
    const begun = Promise.withResolvers<Wire>();
    await using fleet = await startFleet({
      a: (wire) => {
        wire.sse();
        wire.write(framesOf(MOJIBAKE.slice(20)).slice(0, 2).join(""));
        begun.resolve(wire);
      },
    });
    const leaving = new AbortController();
    const response = await fleet.router.post(
      "/v1/chat/completions",
      chat("pool:main", { stream: true }),
      { signal: leaving.signal },
    );

    leaving.abort();

    const id = response.headers.get("x-veriroute-decision");
    const decision = await until(async () => {
      const found = JSON.parse(await (await fleet.router.get(`/admin/v1/decisions/${id}`)).text());
      return found.outcome === "in_progress" ? undefined : found;
    });
    expect(decision).toMatchObject({
      outcome: "cancelled",
      attempts: [
        {
          kind: "cancelled",
          verification: { verdict: "unverifiable", signature: "client_aborted", trips: false },
        },
      ],
    });
  });
});

describe("a stream that is held back", () => {
  test("reaches the client whole and unchanged", async () => {
    const text = PLAIN.repeat(4);
    await using fleet = await startFleet({ a: says(text) }, { config: HOLDING });

    expect((await ask(fleet)).text).toBe(framesOf(text).join(""));
  });

  test("reaches the client after a moment, however slowly it goes on", async () => {
    const rest = Promise.withResolvers<void>();
    const frames = framesOf("a word");
    await using fleet = await startFleet(
      { a: paced(frames, (index) => (index < 2 ? Promise.resolve() : rest.promise)) },
      { config: HOLDING },
    );

    const response = await fleet.router.post(
      "/v1/chat/completions",
      chat("pool:main", { stream: true }),
    );
    rest.resolve();

    expect(await response.text()).toBe(frames.join(""));
  });

  test.each<{ name: string; behaviour: Behaviour; kinds: string[] }>([
    {
      name: "meets an error event",
      behaviour: (wire) => {
        wire.sse();
        wire.write(`${chunk({ content: "so" })}data: {"error":{"code":429,"message":"slow"}}\n\n`);
        wire.end();
      },
      kinds: ["rate_limit", "ok"],
    },
    {
      name: "breaks off",
      behaviour: (wire) => {
        wire.sse();
        wire.write(chunk({ content: "so" }));
        wire.end();
      },
      kinds: ["network", "network", "ok"],
    },
    {
      name: "is over and loops",
      behaviour: says("no ".repeat(120), { finish: "length" }),
      kinds: ["bad_output", "ok"],
    },
    {
      name: "is over and only reasoned",
      behaviour: says("", { message: { reasoning_content: "hm" } }),
      kinds: ["malformed_empty", "ok"],
    },
  ])("and $name is replaced", async ({ behaviour, kinds }) => {
    await using fleet = await startFleet({ a: behaviour, b: fine }, { config: HOLDING });

    const { decision, text } = await ask(fleet);

    expect(decision).toMatchObject({ attempts: kinds.map((kind) => ({ kind })) });
    expect(text).toBe(streamOf("hi"));
  });

  test.each([
    { cause: "half open", trials: 0 },
    { cause: "on probation", trials: 5 },
  ])("because its target is $cause is judged before the client sees it", async ({ trials }) => {
    await using fleet = await startFleet({ a: fine, b: fine });
    const drill = { subject: "a:m", signature: "empty_200", reason: "a drill" };
    await fleet.router.post("/admin/v1/breakers/trip", drill);
    fleet.clock.move(60_000);
    for (let n = 0; n < trials; n++) await fleet.ask();
    fleet.set("a", says("no ".repeat(120), { finish: "length" }));

    const { decision, target } = await ask(fleet);

    expect(target).toBe("b:m");
    expect(decision).toMatchObject({
      attempts: [{ target: "a:m", verification: { signature: "repetition_loop" } }, {}],
    });
  });

  test("is not, where nothing is known against its target", async () => {
    await using fleet = await startFleet({
      a: says("no ".repeat(120), { finish: "length" }),
      b: fine,
    });

    expect((await ask(fleet)).target).toBe("a:m");
  });
});

test("reasoning commits a stream: no answer behind it is recorded, not replaced", async () => {
  await using fleet = await startFleet({
    a: says("", { message: { reasoning_content: "hm" } }),
    b: fine,
  });

  const { target, decision } = await ask(fleet);

  expect(target).toBe("a:m");
  expect(decision).toMatchObject({
    attempts: [{ kind: "malformed_empty", verification: { detail: "reasoning only" } }],
  });
});
