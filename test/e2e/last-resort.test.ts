import { expect, test } from "bun:test";

import { chat, provider, startRouter } from "../support/router.ts";
import { completion, scriptedUpstream, streamOf } from "../support/scripted-upstream.ts";

const POOL = '[pools.main]\ntargets = ["a:m", "b:m"]\n';

test.each([
  { name: "an empty answer", status: 200, body: completion(""), stream: false },
  { name: "an empty answer", status: 200, body: completion(""), stream: true },
  { name: "a 500", status: 500, body: { error: { message: "no" } }, stream: false },
])(
  "behind $name, a target benched for its content serves, marked: stream $stream",
  async ({ status, body, stream }) => {
    using bad = scriptedUpstream((wire) => wire.json(body, status));
    using doubtful = scriptedUpstream((wire) => {
      if (!stream) return wire.json(completion("fine"));
      wire.sse();
      wire.write(streamOf("fine"));
      wire.end();
    });
    await using router = await startRouter({
      config: provider("a", bad.base_url) + provider("b", doubtful.base_url) + POOL,
    });
    const trip = { subject: "b:m", signature: "empty_200", reason: "a drill" };
    expect((await router.post("/admin/v1/breakers/trip", trip)).status).toBe(201);

    const response = await router.post("/v1/chat/completions", chat("pool:main", { stream }));

    expect(await response.text()).toContain("fine");
    expect(response.headers.get("x-veriroute-target")).toBe("b:m");
    const id = response.headers.get("x-veriroute-decision");
    expect(await router.admin(`/admin/v1/decisions/${id}`)).toMatchObject({
      outcome: "ok",
      degraded: true,
      served: "b:m",
    });
  },
);

test("where every target is benched for its content, they serve in turn", async () => {
  using empty = scriptedUpstream((wire) => wire.json(completion("")));
  using doubtful = scriptedUpstream((wire) => wire.json(completion("fine")));
  await using router = await startRouter({
    config: provider("a", empty.base_url) + provider("b", doubtful.base_url) + POOL,
  });
  for (const subject of ["a:m", "b:m"]) {
    const trip = { subject, signature: "empty_200", reason: "a drill" };
    await router.post("/admin/v1/breakers/trip", trip);
  }

  const response = await router.post("/v1/chat/completions", chat("pool:main"));

  expect(await response.text()).toContain("fine");
  expect(response.headers.get("x-veriroute-attempts")).toBe("2");
});

test("behind a client's own mistake nobody benched is asked", async () => {
  using strict = scriptedUpstream((wire) => wire.json({ error: { message: "bad" } }, 400));
  using doubtful = scriptedUpstream((wire) => wire.json(completion("fine")));
  await using router = await startRouter({
    config: provider("a", strict.base_url) + provider("b", doubtful.base_url) + POOL,
  });
  const trip = { subject: "b:m", signature: "empty_200", reason: "a drill" };
  await router.post("/admin/v1/breakers/trip", trip);

  const response = await router.post("/v1/chat/completions", chat("pool:main"));

  expect(response.status).toBe(400);
  expect(doubtful.requests).toHaveLength(0);
});
