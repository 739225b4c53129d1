import { afterAll, beforeAll, describe, expect, test } from "bun:test";

import Anthropic1 from "@anthropic-ai/sdk";
import Anthropic0 from "anthropic-v0";

import {
  type ClientFleet,
  type Endpoint,
  startClientFleet,
  WIRES,
} from "../../support/clients/client-fleet.ts";

let fleet: ClientFleet;
beforeAll(async () => {
  fleet = await startClientFleet(["hello"], '[aliases]\n"claude-haiku-*" = "chat-hello:hello"\n');
});
afterAll(() => fleet[Symbol.asyncDispose]());

const options = ({ url, key }: Pick<Endpoint, "url" | "key">) => ({ baseURL: url, apiKey: key });
const messages = [{ role: "user" as const, content: "Say hello to everybody" }];

/** What the packages can do beside answers; typed one by one, since their types differ. */
const PACKAGES = [
  {
    name: "@anthropic-ai/sdk 1",
    count: (at: Endpoint) =>
      new Anthropic1(options(at)).messages.countTokens({ model: at.model, messages }),
    list: async (at: Endpoint) => (await new Anthropic1(options(at)).models.list()).data,
    retrieve: (at: Endpoint, id: string) => new Anthropic1(options(at)).models.retrieve(id),
    beta: (at: Endpoint, model: string) =>
      new Anthropic1(options(at)).beta.messages.create({ model, max_tokens: 100, messages }),
  },
  {
    name: "@anthropic-ai/sdk 0",
    count: (at: Endpoint) =>
      new Anthropic0(options(at)).messages.countTokens({ model: at.model, messages }),
    list: async (at: Endpoint) => (await new Anthropic0(options(at)).models.list()).data,
    retrieve: (at: Endpoint, id: string) => new Anthropic0(options(at)).models.retrieve(id),
    beta: (at: Endpoint, model: string) =>
      new Anthropic0(options(at)).beta.messages.create({ model, max_tokens: 100, messages }),
  },
];

describe.each(PACKAGES)("$name", ({ count, list, retrieve, beta }) => {
  test("counts tokens at the vendor that can, and gets an estimate elsewhere", async () => {
    const counts = await Promise.all(WIRES.map((wire) => count(fleet.endpoint(wire, "hello"))));

    const [chat, own, responses] = counts.map(({ input_tokens }) => input_tokens);
    expect(own).toBe(41);
    expect(chat).toBeWithin(4, 20);
    expect(responses).toBe(chat);
  });

  test("lists models and looks one up", async () => {
    const endpoint = fleet.endpoint("chat", "hello");

    const [first] = await list(endpoint);

    expect(first).toMatchObject({ id: "auto", type: "model" });
    expect(await retrieve(endpoint, "auto")).toMatchObject({ id: "auto", display_name: "auto" });
  });

  test("gets an answer through its beta messages, for a name that an alias maps", async () => {
    const endpoint = fleet.endpoint("chat", "hello");

    const { content } = await beta(endpoint, "claude-haiku-4-5-20251001");

    expect(content).toMatchObject([{ type: "text", text: "Hello from chat, naïve — ✓" }]);
  });
});
