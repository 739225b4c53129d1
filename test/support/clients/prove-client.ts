import { afterAll, beforeAll, describe, expect, test } from "bun:test";

import { type ClientFleet, startClientFleet, WIRES } from "./client-fleet.ts";
import type { Client } from "./client.ts";
import { USAGE, type Wire } from "./played.ts";

/** How a failing story is told: `retries` keeps short what a client would wait for in vain. */
const RETRIES: Readonly<Record<FailingStory, number | undefined>> = {
  e402: undefined,
  e429: 1,
  "e429-wait": undefined,
  e503: 1,
  context: undefined,
};
const FAILING = ["e402", "e429", "e429-wait", "e503", "context"] as const;
type FailingStory = (typeof FAILING)[number];
const HOWS = ["whole", "stream"] as const;

interface Failing {
  readonly wire: Wire;
  /** Names an instance of its own, so that no bench is shared. */
  readonly story: string;
  readonly how: (typeof HOWS)[number];
  readonly kind: FailingStory | "broken";
}

const FAILURES: readonly Failing[] = WIRES.flatMap((wire) => [
  ...FAILING.flatMap((kind) =>
    HOWS.map((how): Failing => ({ wire, story: `${kind}-${how}`, how, kind })),
  ),
  { wire, story: "breaks", how: "stream", kind: "broken" },
  { wire, story: "cuts", how: "stream", kind: "broken" },
]);
const STORIES = "hello tools parallel images json thinks hangs".split(" ");

/** What a client makes of a failure, and how often it asks before it does. */
export interface SeenFailure {
  /** Of the error's class. */
  readonly name: string;
  readonly status: number | null;
  readonly requests: number;
}

export interface Expected {
  readonly failures: Readonly<Record<FailingStory, SeenFailure>>;
  /** A stream that ends with an error, or in the middle, after some text. */
  readonly broken: SeenFailure;
}

/** Proves a client against the compiled router before a vendor of each dialect. */
export function proveClient(client: Client, expected: Expected): void {
  describe(client.name, () => {
    let fleet: ClientFleet;
    const failures = new Map<string, Promise<SeenFailure>>();
    beforeAll(async () => {
      fleet = await startClientFleet([...STORIES, ...new Set(FAILURES.map(({ story }) => story))]);
      // Clients wait between their tries: all at once, those waits are one.
      for (const failing of FAILURES) {
        const { wire, story } = failing;
        failures.set(`${wire} ${story}`, seeFailure(client, failing, fleet));
      }
    });
    afterAll(async () => {
      await Promise.allSettled(failures.values());
      await fleet[Symbol.asyncDispose]();
    });

    describe.each(WIRES.map((wire) => ({ wire })))("on a $wire target", ({ wire }) => {
      const at = (story: string) => fleet.endpoint(wire, story);
      // OpenAI's own API is asked in Responses by those who speak it, else in chat.
      const asked = wire === "responses" && client.speaks !== "responses" ? "chat" : wire;
      const hello = `Hello from ${asked}, naïve — ✓`;

      test("gets an answer and its cost in tokens", async () => {
        expect(await client.say(at("hello"), "Say hello")).toEqual({
          text: hello,
          usage: USAGE,
        });
      });

      test("gets a stream and its cost in tokens", async () => {
        expect(await client.stream(at("hello"), "Say hello")).toEqual({
          text: hello,
          usage: USAGE,
        });
      });

      test.each(HOWS)("calls a tool and says what it answered (%s)", async (how) => {
        expect(await client.tools(at("tools"), how)).toEqual({
          calls: [{ name: "weather", input: { city: "Oslo" } }],
          text: "The tool said: sunny in Oslo",
        });
      });

      test.each(HOWS)("calls two tools at once (%s)", async (how) => {
        expect(await client.tools(at("parallel"), how)).toEqual({
          calls: ["Oslo", "Rome"].map((city) => ({ name: "weather", input: { city } })),
          text: "The tool said: sunny in Oslo and sunny in Rome",
        });
      });

      test("shows an image", async () => {
        expect(await client.image(at("images"))).toBe("I see image/png of 70 bytes");
      });

      test("gets structured output", async () => {
        expect(await client.structured(at("json"))).toEqual({ city: "Oslo" });
      });

      test("is not confused by reasoning", async () => {
        expect((await client.stream(at("thinks"), "What is it?")).text).toBe("Forty-two.");
      });

      test("goes away in the middle of a stream, and so does the router", async () => {
        expect(await client.abort(at("hangs"))).toBe("first");
        await fleet.dropped(at("hangs"));
      });

      const own = FAILURES.filter((failing) => failing.wire === wire);
      test.each(own)("meets $story as an error of its own", async ({ story, kind }) => {
        const seen = await failures.get(`${wire} ${story}`);

        expect(seen).toEqual(kind === "broken" ? expected.broken : expected.failures[kind]);
      });
    });

    test("talks to the simulator", async () => {
      const endpoint = { ...fleet.endpoint("chat", "hello"), model: "sim:echo" };

      expect((await client.say(endpoint, "Grüße, 世界 😀")).text).toBe("Grüße, 世界 😀");
      expect((await client.stream(endpoint, "Grüße, 世界 😀")).text).toBe("Grüße, 世界 😀");
    });
  });
}

async function seeFailure(
  client: Client,
  { wire, story, how, kind }: Failing,
  fleet: ClientFleet,
): Promise<SeenFailure> {
  const retries = kind === "broken" ? undefined : RETRIES[kind];
  const endpoint = { ...fleet.endpoint(wire, story), ...(retries !== undefined && { retries }) };
  const error = await failureOf(client.fail(endpoint, how));
  return { ...error, requests: await fleet.requestsFor(endpoint) };
}

async function failureOf(call: Promise<unknown>): Promise<Omit<SeenFailure, "requests">> {
  try {
    return { name: `answered ${JSON.stringify(await call)}`, status: null };
  } catch (error) {
    const status: unknown =
      Reflect.get(Object(error), "status") ?? Reflect.get(Object(error), "statusCode");
    const { name } = Object(error).constructor;
    return { name, status: typeof status === "number" ? status : null };
  }
}
