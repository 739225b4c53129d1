import { afterAll, describe, expect, test } from "bun:test";

import type OpenAI from "openai";

import { startSdkFleet } from "../support/sdk-fleet.ts";
import { type Sdk, SDKS, streamingCompletions } from "../support/sdk.ts";

type Class = "BadRequestError" | "NotFoundError" | "RateLimitError" | "InternalServerError";

interface VendorError {
  /** How the vendor fails, as a model of the simulator. */
  readonly vendor: string;
  readonly error: Class | "APIError";
  readonly status: number;
  readonly code: string;
}

const VENDOR_ERRORS: readonly VendorError[] = [
  {
    vendor: "status?code=400&form=context_length",
    error: "BadRequestError",
    status: 400,
    code: "context_length_exceeded",
  },
  {
    vendor: "status?code=400&form=unsupported_parameter",
    error: "BadRequestError",
    status: 400,
    code: "unsupported_parameter",
  },
  {
    // Our credential is wrong, not the client's.
    vendor: "status?code=401",
    error: "InternalServerError",
    status: 502,
    code: "upstream_auth",
  },
  {
    vendor: "status?code=429&form=quota",
    error: "APIError",
    status: 402,
    code: "insufficient_credits",
  },
  {
    vendor: "status?code=404&form=model_not_found",
    error: "NotFoundError",
    status: 404,
    code: "model_not_found",
  },
  {
    vendor: "status?code=429",
    error: "RateLimitError",
    status: 429,
    code: "rate_limit_exceeded",
  },
  {
    vendor: "status?code=500",
    error: "InternalServerError",
    status: 502,
    code: "upstream_error",
  },
  {
    vendor: "status?code=529&retry_after=30",
    error: "InternalServerError",
    status: 503,
    code: "upstream_overloaded",
  },
  {
    vendor: "status?code=504",
    error: "InternalServerError",
    status: 504,
    code: "upstream_timeout",
  },
  {
    vendor: "empty",
    error: "InternalServerError",
    status: 502,
    code: "upstream_empty",
  },
];

/** An instance of its own for each row, package and kind of answer, so that no bench is shared. */
const instanceOf = (row: VendorError, { major }: Sdk, stream: boolean) =>
  `v${VENDOR_ERRORS.indexOf(row)}-${major}-${stream ? "stream" : "whole"}`;

const sims = SDKS.flatMap((sdk) =>
  VENDOR_ERRORS.flatMap((row) => [true, false].map((stream) => instanceOf(row, sdk, stream))),
);
const others = SDKS.flatMap(({ major }) => [
  `hopeless-${major}`,
  `hasty-${major}`,
  `late-${major}`,
]);
const fleet = await startSdkFleet(
  [...sims, ...others].map((name) => `[providers.${name}]\ntype = "sim"\n`).join("\n"),
);
afterAll(() => fleet[Symbol.asyncDispose]());

const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: "user", content: "one two three" }];

/** What a client's call is rejected with. */
async function failureOf(call: Promise<unknown>): Promise<unknown> {
  try {
    return { answered: await call };
  } catch (error) {
    return error;
  }
}

describe.each(SDKS.map((sdk) => ({ major: sdk.major, sdk })))("openai $major", ({ sdk }) => {
  const { OpenAI: Client } = sdk;
  const client = fleet.client(sdk);
  const { completions } = client.chat;

  test("a wrong key is an AuthenticationError", async () => {
    const stranger = fleet.client(sdk, { apiKey: "wrong" });

    const error = await failureOf(stranger.models.list());

    expect(error).toBeInstanceOf(Client.AuthenticationError);
    expect(error).toMatchObject({ status: 401, code: "invalid_api_key" });
  });

  test("what only admins may see is a PermissionDeniedError", async () => {
    const headers = { "x-veriroute-debug": "1" };

    const error = await failureOf(completions.create({ model: "sim:echo", messages }, { headers }));

    expect(error).toBeInstanceOf(Client.PermissionDeniedError);
    expect(error).toMatchObject({ status: 403, code: "admin_key_required" });
  });

  test("a body that cannot be right is a BadRequestError that names the member", async () => {
    const error = await failureOf(completions.create({ model: "sim:echo", messages: [] }));

    expect(error).toBeInstanceOf(Client.BadRequestError);
    expect(error).toMatchObject({ status: 400, code: "invalid_request", param: "messages" });
  });

  test("a model that does not exist is a NotFoundError that names those near it", async () => {
    const error = await failureOf(completions.create({ model: "sim:ecko", messages }));

    expect(error).toBeInstanceOf(Client.NotFoundError);
    expect(error).toMatchObject({ status: 404, code: "model_not_found" });
    expect(String(error)).toContain("echo");
  });

  describe.each([false, true])("stream: %p", (stream) => {
    test.each(VENDOR_ERRORS)("$vendor is seen as $status $code", async (row) => {
      const model = `${instanceOf(row, sdk, stream)}:${row.vendor}`;

      const error = await failureOf(completions.create({ model, messages, stream }));

      expect(error).toBeInstanceOf(Client[row.error]);
      expect(error).toMatchObject({ status: row.status, code: row.code });
    });
  });

  test.each([
    { how: "an error event", model: "error200?after=2", code: "upstream_error" },
    { how: "a reset connection", model: "cut?after=2&form=reset", code: "stream_interrupted" },
    { how: "a clean end too soon", model: "cut?after=2&form=eof", code: "stream_interrupted" },
  ])("a stream that ends in $how is an error to both of its readers", async ({ model, code }) => {
    const body = { model: `late-${sdk.major}:${model}`, messages };
    const pieces: string[] = [];
    const read = async () => {
      for await (const one of await completions.create({ ...body, stream: true })) {
        pieces.push(one.choices[0]?.delta.content ?? "");
      }
    };

    const errors = [
      await failureOf(read()),
      await failureOf(streamingCompletions(client).stream(body).finalChatCompletion()),
    ];

    for (const error of errors) {
      expect(error).toBeInstanceOf(Client.APIError);
      expect(error).toMatchObject({ code });
    }
    expect(pieces.join("")).toBe("one two");
  });

  test("it does not repeat what the router has tried already", async () => {
    const seen: (string | null)[] = [];
    const patient = fleet.client(sdk, {
      maxRetries: 2,
      fetch: async (url, init) => {
        const answer = await fetch(url, init);
        seen.push(answer.headers.get("x-should-retry"));
        return answer;
      },
    });
    const model = `hopeless-${sdk.major}:status?code=500`;

    const error = await failureOf(patient.chat.completions.create({ model, messages }));

    expect(error).toBeInstanceOf(Client.InternalServerError);
    expect(seen).toEqual(["false"]);
  });

  test("it comes back when the router says when", async () => {
    const seen: (string | null)[] = [];
    const patient = fleet.client(sdk, {
      maxRetries: 2,
      fetch: async (url, init) => {
        const answer = await fetch(url, init);
        seen.push(answer.headers.get("retry-after"));
        return answer;
      },
    });
    const model = `hasty-${sdk.major}:status?code=429&retry_after=1&times=1`;

    const answer = await patient.chat.completions.create({ model, messages });

    expect(answer.choices[0]?.message.content).toBe("one two three");
    expect(seen).toEqual(["1", null]);
  });
});
