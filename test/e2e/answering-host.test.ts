import { expect, test } from "bun:test";

import { answer, answerOf, type HostGateway, hostGateway } from "../support/canary/gateway.ts";
import { chat, startRouter, type TestRouter } from "../support/router.ts";

const gatewayAt = (base_url: string, type: string) =>
  `[providers.gw]\ntype = "${type}"\nbase_url = "${base_url}"\napi_key = "test"\nmodels = ["a/m"]\n`;

const start = ({ base_url }: HostGateway, type = "openrouter") =>
  startRouter({ config: gatewayAt(base_url, type) });

/** The endpoint of the only attempt of the decision behind an answer. */
async function endpointOf(router: TestRouter, response: Response): Promise<unknown> {
  await response.text();
  const id = response.headers.get("x-veriroute-decision");
  const { attempts } = Object(await router.admin(`/admin/v1/decisions/${id}`));
  return attempts.map(({ endpoint }: { endpoint: string | null }) => endpoint);
}

test.each([
  { what: "a whole answer", stream: false },
  { what: "a stream", stream: true },
])("$what of a gateway tells which host it came from", async ({ stream }) => {
  using gateway = hostGateway(["one"]);
  await using router = await start(gateway);

  const response = await router.post("/v1/chat/completions", chat("gw:a/m", { stream }));

  expect(await endpointOf(router, response)).toEqual(["gw:a/m@One"]);
});

test.each([
  {
    what: "a text",
    provider: "the secret words of a prompt, which are longer than any name of a host",
  },
  { what: "two lines", provider: "One\nTwo" },
  { what: "markup", provider: "<b>One</b>" },
])("$what where a host's name should be is not kept", async ({ provider }) => {
  using gateway = hostGateway(["one"]);
  gateway.scripts.set("one", (question) => answer(question, answerOf(question), { provider }));
  await using router = await start(gateway);

  const response = await router.post("/v1/chat/completions", chat("gw:a/m", { stream: true }));

  expect(await endpointOf(router, response)).toEqual([null]);
});

test("who has no hosts behind it names none, whatever its answers say", async () => {
  using gateway = hostGateway(["one"]);
  await using router = await start(gateway, "openai-compatible");

  const response = await router.post("/v1/chat/completions", chat("gw:a/m"));

  expect(await endpointOf(router, response)).toEqual([null]);
});
