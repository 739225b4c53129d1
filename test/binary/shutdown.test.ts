import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";

import { startBinary } from "../support/binary.ts";
import { HALF, sse } from "../support/failing.ts";
import { openTestStore } from "../support/open-store.ts";
import { chat, provider } from "../support/router.ts";
import { scriptedUpstream } from "../support/scripted-upstream.ts";
import { tempDir } from "../support/temp-dir.ts";
import { until } from "../support/until.ts";

const STREAMS = 60;
const WHOLE = 40;

test("a hundred requests open at SIGTERM each end properly and are recorded, and the exit is 0", async () => {
  using home = tempDir();
  using upstream = scriptedUpstream((wire, { method, body }) => {
    if (method === "GET") return wire.json({ object: "list", data: [] });
    if (JSON.parse(new TextDecoder().decode(body)).stream === true) sse(wire, HALF);
    return undefined;
  });
  const calls = () => upstream.requests.filter(({ method }) => method === "POST");
  writeFileSync(home.file("veriroute.toml"), provider("a", upstream.base_url));
  await using server = await startBinary(["--config", home.file("veriroute.toml")], {
    env: {
      HOME: home.path,
      VERIROUTE_SERVER_DRAIN: "300ms",
      VERIROUTE_ROUTING_DISCOVER_LOCAL: "false",
    },
    cwd: home.path,
  });
  const ask = async (stream: boolean) => {
    const response = await fetch(`${server.url}/v1/chat/completions`, {
      method: "POST",
      proxy: false,
      headers: { "content-type": "application/json" },
      body: JSON.stringify(chat("a:m", { stream })),
    });
    const { status, headers } = response;
    return { status, wait: headers.get("retry-after"), text: await response.text() };
  };
  const streamed = Array.from({ length: STREAMS }, () => ask(true));
  const whole = Array.from({ length: WHOLE }, () => ask(false));
  await until(() => calls().length === STREAMS + WHOLE);

  server.signal("SIGTERM");

  for (const { status, text } of await Promise.all(streamed)) {
    expect(status).toBe(200);
    expect(text).toStartWith(HALF);
    expect(text).toContain('"code":"router_shutdown"');
    expect(text).toEndWith("\n\ndata: [DONE]\n\n");
  }
  for (const { status, wait, text } of await Promise.all(whole)) {
    expect({ status, wait, code: JSON.parse(text).error.code }).toEqual({
      status: 503,
      wait: "1",
      code: "router_shutdown",
    });
  }
  expect(await server.exited).toBe(0);
  expect(calls()).toHaveLength(STREAMS + WHOLE);
  await using store = await openTestStore(join(home.path, ".local/state/veriroute/veriroute.db"));
  const { items } = await store.listDecisions({ limit: 500 });
  const outcomes = items.map(({ stream, outcome, status }) => `${stream} ${outcome} ${status}`);
  expect(outcomes.toSorted()).toEqual([
    ...Array.from({ length: WHOLE }, () => "false failed 503"),
    ...Array.from({ length: STREAMS }, () => "true interrupted 200"),
  ]);
}, 60_000);
