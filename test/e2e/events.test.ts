import { expect, test } from "bun:test";

import { type Fleet, startFleet } from "../support/fleet.ts";
import { chat } from "../support/router.ts";
import { chunk, completion, streamOf, type Wire } from "../support/scripted-upstream.ts";

const PATH = "/v1/chat/completions";
const CONFIG = '[pools.main]\ntargets = ["a:m"]\n[routing]\nretries = 0\n';

/** How the attempts of the newest requests ended, the newest first. */
async function finishes({ router }: Fleet): Promise<unknown[]> {
  const { events } = JSON.parse(await (await router.get("/v1/explain/routing")).text());
  return events.flatMap(({ kind, finish_reason }: { kind: string; finish_reason: unknown }) =>
    kind === "attempt" ? [finish_reason] : [],
  );
}

const streaming = (frames: string) => (wire: Wire) => {
  wire.sse();
  wire.write(frames);
  wire.end();
};

test("an attempt's event says how the answer ended, never in the upstream's own words", async () => {
  await using fleet = await startFleet({ instances: ["a"], config: CONFIG });
  const ask = async (stream: boolean) =>
    void (await (await fleet.router.post(PATH, chat("pool:main", { stream }))).text());
  const whole = { message: { role: "assistant", content: "hi" }, index: 0 };

  await ask(false);
  fleet.script("a", (wire) =>
    wire.json(completion("hi", { choices: [{ ...whole, finish_reason: "because of a secret" }] })),
  );
  await ask(false);
  fleet.script("a", streaming(`${chunk({ content: "hi" })}${chunk({}, "MAX_TOKENS")}`));
  await ask(true);
  fleet.script("a", streaming(streamOf("hi")));
  await ask(true);
  fleet.script("a", (wire) => wire.json({ error: { message: "no" } }, 500));
  await ask(false);

  expect(await finishes(fleet)).toEqual([null, "stop", "length", "other", "stop"]);
});

test("a request's last event and its log line name the key that sent it, whatever came of it", async () => {
  await using fleet = await startFleet({ instances: ["a"], config: CONFIG });
  const admin = await fleet.call("POST", "/admin/v1/keys", { name: "admin", scope: "admin" });
  const headers = { authorization: `Bearer ${admin.body.key}` };
  const { router } = fleet;

  await (await router.post(PATH, chat("pool:main"), { headers })).text();
  await (await router.post(PATH, chat("nobody"), { headers })).text();
  await (await router.post(PATH, "{", { headers })).text();

  const answer = await router.get("/v1/explain/routing", { headers });
  const { events } = JSON.parse(await answer.text());
  const requests = events.filter(({ kind }: { kind: string }) => kind === "request");
  expect(requests).toMatchObject([
    { decision: { status: 400 }, key_id: admin.body.id },
    { decision: { status: 404 }, key_id: admin.body.id },
    { decision: { status: 200 }, key_id: admin.body.id },
  ]);
  expect(JSON.stringify(requests)).not.toContain(admin.body.key);
  await router.app.stop();
  const lines = router.log.filter((line) => line.includes(`"key_id":"${admin.body.id}"`));
  expect(lines).toHaveLength(3);
});
