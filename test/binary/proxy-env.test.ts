import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";

import { runBinary, startBinary, startProgram } from "../support/binary.ts";
import { openChat } from "../support/load.ts";
import { provider } from "../support/router.ts";
import { completion, scriptedUpstream } from "../support/scripted-upstream.ts";
import { runIn } from "../support/state-directory.ts";
import { tempDir } from "../support/temp-dir.ts";

const KEY = "sk-environment-0123456789";
const LOGIN = "proxy-user:proxy-pass";

/** A proxy that writes down what it is asked for and answers every request in the server's place. */
function proxy() {
  const upstream = scriptedUpstream((wire, { method, path }) => {
    if (method === "CONNECT") return wire.json({}, 503);
    if (method === "GET") return wire.json({ object: "list", data: [{ id: "m" }] });
    return wire.json(completion(`by proxy from ${path}`));
  });
  const { host } = new URL(upstream.base_url);
  return {
    host,
    url: `http://${LOGIN}@${host}`,
    asked: () => upstream.requests.map(({ method, path }) => `${method} ${path}`),
    logins: () =>
      new Set(upstream.requests.map(({ headers }) => headers.get("proxy-authorization"))),
    [Symbol.dispose]: () => upstream[Symbol.dispose](),
  };
}

test("remote providers are called through the proxy of the environment, which the start says", async () => {
  using home = tempDir();
  using carrier = proxy();
  const env = { OPENAI_API_KEY: KEY, HTTPS_PROXY: carrier.url };
  await using server = await startBinary([], runIn(home.path, env));
  await server.saw(/try it:/);

  const answer = await openChat(server.url, { model: "openai:gpt-5.4" });
  const body = await answer.text();

  expect(server.stdout()).toContain(`${carrier.host}, for openai`);
  expect([...new Set(carrier.asked())]).toEqual(["CONNECT api.openai.com:443"]);
  expect([...carrier.logins()]).toEqual([`Basic ${btoa(LOGIN)}`]);
  expect(answer.status).toBe(502);
  expect(JSON.parse(body)).toMatchObject({ error: { code: "upstream_unreachable" } });
  for (const text of [server.stdout(), server.stderr(), body]) {
    expect(text).not.toContain("proxy-pass");
    expect(text).not.toContain(KEY);
  }
}, 30_000);

test("an answer comes back through the proxy", async () => {
  using home = tempDir();
  using carrier = proxy();
  const file = home.file("veriroute.toml");
  writeFileSync(file, provider("far", "http://far.example/v1"));
  await using server = await startBinary(
    ["--config", file],
    runIn(home.path, { http_proxy: carrier.url }),
  );

  const answer = await openChat(server.url, { model: "far:m" });

  expect(await answer.text()).toContain("by proxy from http://far.example/v1/chat/completions");
}, 30_000);

const EVERY_VARIABLE = ["http_proxy", "https_proxy", "all_proxy"].flatMap((name) => [
  name,
  name.toUpperCase(),
]);

test("a server on loopback is called directly, whatever proxy is set", async () => {
  using home = tempDir();
  using carrier = proxy();
  using near = scriptedUpstream((wire, { method }) =>
    wire.json(method === "GET" ? { object: "list", data: [] } : completion("direct")),
  );
  const file = home.file("veriroute.toml");
  writeFileSync(file, provider("near", near.base_url));
  const env = Object.fromEntries(EVERY_VARIABLE.map((name) => [name, carrier.url]));
  await using server = await startBinary(["--config", file], runIn(home.path, env));

  const answer = await openChat(server.url, { model: "near:m" });

  expect(await answer.text()).toContain("direct");
  await server.saw(/try it:/);
  expect(server.stdout()).toMatch(/^ +proxy +none$/m);
  expect(carrier.asked()).toEqual([]);
}, 30_000);

test.each([
  { what: "this machine without a path", at: (port: string) => `http://localhost:${port}` },
  { what: "an address in one number", at: (port: string) => `http://2130706433:${port}` },
])(
  "a command sends its key to $what directly, whatever proxy is set",
  async ({ at }) => {
    using home = tempDir();
    using carrier = proxy();
    using near = scriptedUpstream((wire) => wire.json({ error: { message: "direct" } }, 400));
    const { port } = new URL(near.base_url);
    const variables = Object.fromEntries(EVERY_VARIABLE.map((name) => [name, carrier.url]));
    const options = runIn(home.path, { ...variables, VERIROUTE_ADMIN_KEY: KEY });

    const { stderr } = await runBinary(["explain", "auto", "--url", at(port)], options);

    expect(stderr).toContain("direct");
    expect(carrier.asked()).toEqual([]);
  },
  30_000,
);

test.each<{ url: string; asked: string[] }>([
  { url: "http://localhost", asked: [] },
  { url: "http://10.255.255.1:1", asked: [] },
  { url: "http://127.evil.example", asked: ["POST http://127.evil.example/v1/routing/explain"] },
])(
  "a command asks $url of the proxy: $asked",
  async ({ url, asked }) => {
    using home = tempDir();
    using carrier = proxy();
    const variables = Object.fromEntries(EVERY_VARIABLE.map((name) => [name, carrier.url]));
    const options = runIn(home.path, { ...variables, VERIROUTE_ADMIN_KEY: KEY });
    const running = startProgram(["explain", "auto", "--url", url], options);
    const timer = setTimeout(() => running.kill("SIGKILL"), 2000);

    await running.ended;

    clearTimeout(timer);
    expect(carrier.asked().map((line) => line.replace(/\?.*$/, ""))).toEqual(asked);
  },
  30_000,
);

test("what NO_PROXY names is called directly", async () => {
  using home = tempDir();
  using carrier = proxy();
  const file = home.file("veriroute.toml");
  writeFileSync(file, provider("far", "http://api.far.invalid/v1"));
  const env = { HTTP_PROXY: carrier.url, NO_PROXY: "far.invalid" };
  await using server = await startBinary(["--config", file], runIn(home.path, env));

  const answer = await openChat(server.url, { model: "far:m" });

  expect(answer.status).toBe(502);
  expect(carrier.asked()).toEqual([]);
}, 30_000);

test("a provider's variable makes an instance that shows where its credential is from, never the value", async () => {
  using home = tempDir();
  const variables = {
    OPENAI_API_KEY: KEY,
    GROQ_API_KEY: `${KEY}-groq`,
    HTTPS_PROXY: "http://127.0.0.1:9",
  };
  await using server = await startBinary([], runIn(home.path, variables));
  await server.saw(/try it:/);

  const answer = await fetch(`${server.url}/admin/v1/providers`);
  const text = await answer.text();

  expect(JSON.parse(text).items).toMatchObject([
    { name: "openai", source: "environment", credential: { set: true, from: "OPENAI_API_KEY" } },
    { name: "groq", source: "environment", credential: { set: true, from: "GROQ_API_KEY" } },
    { name: "sim", source: "builtin", credential: { set: false, from: null } },
  ]);
  for (const said of [text, server.stdout(), server.stderr()]) expect(said).not.toContain(KEY);
}, 30_000);

test("a setting of the environment beats the file, and says where it is from", async () => {
  using home = tempDir();
  const file = home.file("veriroute.toml");
  writeFileSync(
    file,
    `[server]\ndrain = "1s"\n[routing]\nmax_attempts = 2\n[pools.main]\ntargets = ["sim:echo"]\n`,
  );
  const env = {
    VERIROUTE_SERVER_DRAIN: "3s",
    VERIROUTE_LOG_LEVEL: "warn",
    VERIROUTE_POOLS_MAIN_TARGETS: "sim:story, sim:echo",
    VERIROUTE_PROVIDERS_NEAR_TYPE: "openai-compatible",
    VERIROUTE_PROVIDERS_NEAR_BASE_URL: "http://127.0.0.1:9/v1",
    VERIROUTE_PROVIDERS_NEAR_API_KEY: KEY,
  };
  await using server = await startBinary(["--config", file], runIn(home.path, env));

  const text = await (await fetch(`${server.url}/admin/v1/config`)).text();

  const shown: { key: string; value: unknown; source: string }[] = JSON.parse(text).items;
  const found = (key: string) => {
    const one = shown.find((value) => value.key === key);
    return [one?.value, one?.source];
  };
  expect(found("server.drain")).toEqual(["3s", "environment"]);
  expect(found("log.level")).toEqual(["warn", "environment"]);
  expect(found("routing.max_attempts")).toEqual([2, "file"]);
  expect(found("pools.main.targets")).toEqual([["sim:story", "sim:echo"], "environment"]);
  expect(found("providers.near.base_url")).toEqual(["http://127.0.0.1:9/v1", "environment"]);
  expect(found("providers.near.api_key")).toEqual(["set", "environment"]);
  expect(text).not.toContain(KEY);
}, 30_000);
