import { afterAll, describe, expect, test } from "bun:test";

import {
  type Behaviour,
  failing,
  fine,
  type Fleet,
  refusing,
  startFleet,
} from "../support/behaving-fleet.ts";
import { errorFrame, sse } from "../support/failing.ts";
import { chunk, completion } from "../support/scripted-upstream.ts";
import { tempDir } from "../support/temp-dir.ts";

const folder = tempDir();
afterAll(() => folder[Symbol.dispose]());

/** Windows of model `m` by instance, as the operator's cards say; the others are unknown. */
async function windows(sizes: Readonly<Record<string, number>>): Promise<string> {
  const file = folder.file("cards.toml");
  const cards = Object.entries(sizes).map(
    ([name, tokens]) => `["${name}:m"]\nwindow_tokens = ${tokens}\n`,
  );
  await Bun.write(file, cards.join(""));
  return `[catalog]\nfile = "${file}"\n`;
}

const DONE = "data: [DONE]\n\n";

const OVERFLOW = {
  code: "context_length_exceeded",
  message:
    "This model's maximum context length is 8192 tokens. However, your messages resulted in 10000 tokens.",
};
const overflowing = refusing(400, OVERFLOW);

/** The same, told in the first event of a stream that began well. */
const overflowingLate: Behaviour = (wire, stream) => {
  if (!stream) return wire.json({ error: OVERFLOW });
  sse(wire, errorFrame(OVERFLOW));
  return wire.end();
};

const prompt = (characters: number) => ({
  messages: [{ role: "user", content: "word ".repeat(characters / 5) }],
});

/** Why targets are left out, by instance; those that are not are missing. */
async function benches(fleet: Fleet): Promise<Record<string, unknown>> {
  const names = Object.keys(fleet.upstreams);
  const found = await Promise.all(
    names.map(async (name) => [name, await fleet.reasons(`${name}:m`)] as const),
  );
  return Object.fromEntries(found.filter(([, reasons]) => reasons.length > 0));
}

describe.each([{ stream: false }, { stream: true }])("stream: $stream", ({ stream }) => {
  test.each([
    { told: "by status", behaviour: overflowing },
    { told: "inside a success", behaviour: overflowingLate },
  ])("an overflow told $told moves to a larger window and benches nobody", async (row) => {
    const config = await windows({ a: 8192, smaller: 4096, larger: 32_000 });
    await using fleet = await startFleet(
      { a: row.behaviour, vague: fine, smaller: fine, larger: fine },
      { config },
    );

    const told = await fleet.ask({ stream });

    expect(told).toMatchObject({ status: 200, target: "larger:m", degraded: false });
    expect(told.attempts).toEqual(["a:m context_length", "larger:m ok"]);
    expect(await benches(fleet)).toEqual({});
  });

  test("an unknown window comes after every known one that is large enough", async () => {
    const config = await windows({ a: 8192, large: 32_000, larger: 64_000 });
    await using fleet = await startFleet(
      { a: overflowing, vague: fine, large: failing, larger: refusing(503, "no") },
      { config: `${config}[routing]\nretries = 0\nmax_attempts = 4\n` },
    );

    expect((await fleet.ask({ stream })).attempts).toEqual([
      "a:m context_length",
      "large:m server",
      "larger:m server",
      "vague:m ok",
    ]);
  });

  test("with no larger window left it is a 400 that nobody is benched for", async () => {
    const config = await windows({ a: 8192, smaller: 4096, same: 8192 });
    await using fleet = await startFleet({ a: overflowing, smaller: fine, same: fine }, { config });

    const told = await fleet.ask({ stream });

    expect(told).toMatchObject({
      status: 400,
      code: "context_length_exceeded",
      retry_after: null,
      should_retry: "false",
      attempts: ["a:m context_length"],
    });
    expect([fleet.calls("smaller"), fleet.calls("same")]).toEqual([0, 0]);
    expect(await benches(fleet)).toEqual({});
  });

  test("a larger window that overflows as well, or fails, does not change that", async () => {
    const config = await windows({ a: 8192, larger: 16_000, largest: 32_000 });
    await using fleet = await startFleet(
      { a: overflowing, larger: overflowing, largest: failing },
      { config },
    );

    const told = await fleet.ask({ stream });

    expect(told).toMatchObject({ status: 400, code: "context_length_exceeded" });
    expect(told.attempts).toEqual([
      "a:m context_length",
      "larger:m context_length",
      "largest:m server",
      "largest:m server",
    ]);
    expect(Object.keys(await benches(fleet))).toEqual(["largest"]);
  });

  test("attempts that run out before the larger windows do end as the last one did", async () => {
    const config = await windows({ a: 8192, larger: 16_000, largest: 32_000 });
    await using fleet = await startFleet(
      { a: overflowing, larger: failing, largest: fine },
      { config: `${config}[routing]\nmax_attempts = 2\nretries = 0\n` },
    );

    expect(await fleet.ask({ stream })).toMatchObject({
      status: 502,
      code: "upstream_error",
      attempts: ["a:m context_length", "larger:m server"],
    });
  });

  test("what the vendor counted takes the place of our estimate", async () => {
    const config = await windows({ medium: 12_000, small: 9000 });
    await using fleet = await startFleet(
      { vague: overflowing, small: fine, medium: fine },
      { config },
    );

    // About 15,000 tokens by our count, 10,000 by the vendor's.
    const told = await fleet.ask({ stream, more: prompt(60_000) });

    expect(told.decision.plan.candidates.map(({ reasons }) => reasons[0]?.detail)).toEqual([
      undefined,
      "9000 < 15001 tokens needed",
      "12000 < 15001 tokens needed",
    ]);
    expect(told.attempts).toEqual(["vague:m context_length", "medium:m ok"]);
  });

  test.each([
    { finish: "length", counted: 8192, moves: true },
    { finish: "stop", counted: 9100, moves: true },
    { finish: "length", counted: 8000, moves: false },
  ])(
    "silence after $counted tokens of prompt for a window of 8192 is an overflow: $moves",
    async ({ finish, counted, moves }) => {
      const config = await windows({ a: 8192, larger: 32_000 });
      const usage = { prompt_tokens: counted, completion_tokens: 0, total_tokens: counted };
      const silent: Behaviour = (wire, isStream) => {
        const choice = { index: 0, message: { role: "assistant", content: "" } };
        if (!isStream) {
          return wire.json(
            completion("", { usage, choices: [{ ...choice, finish_reason: finish }] }),
          );
        }
        sse(wire, `${chunk({}, finish)}data: ${JSON.stringify({ choices: [], usage })}\n\n${DONE}`);
        return wire.end();
      };
      await using fleet = await startFleet({ a: silent, larger: fine }, { config });

      const told = await fleet.ask({ stream });
      fleet.set("larger", silent);
      const none = await fleet.ask({ stream });

      const kind = moves ? "context_length" : "malformed_empty";
      expect(told.attempts).toEqual([`a:m ${kind}`, "larger:m ok"]);
      expect(told.decision.attempts[0]?.verification === null).toBe(moves);
      expect(none.code).toBe(moves ? "context_length_exceeded" : "upstream_empty");
    },
  );

  test("a prompt of 700,000 characters skips 128,000 tokens for a million", async () => {
    const config = await windows({ small: 128_000, large: 1_000_000 });
    await using fleet = await startFleet({ small: fine, large: fine }, { config });

    const long = await fleet.ask({ stream, more: prompt(700_000) });
    const short = await fleet.ask({ stream });

    expect([long.target, short.target]).toEqual(["large:m", "small:m"]);
    expect(long.decision.plan.candidates[1]?.reasons).toEqual([
      {
        layer: 7,
        code: "window_too_small",
        detail: "128000 < 175001 tokens needed",
        until_at: null,
      },
    ]);
    expect([fleet.calls("small"), fleet.calls("large")]).toEqual([1, 1]);
  });
});
