import { expect, test } from "bun:test";

import { startFleet } from "../support/fleet.ts";
import { chat } from "../support/router.ts";
import { completion } from "../support/scripted-upstream.ts";

const POOL = '[pools]\nmain = ["a:m", "b:m", "c:m"]\n';

const REFUSAL = {
  index: 0,
  message: { role: "assistant", content: null, refusal: "no" },
  finish_reason: "stop",
};

test.each([
  { routing: {}, asked: "a:2 b:2 c:1" },
  { routing: { max_attempts: 1 }, asked: "a:2 b:0 c:0" },
  { routing: { retries: 0 }, asked: "a:1 b:1 c:1" },
  { routing: { max_attempts: 2, retries: 0 }, asked: "a:1 b:1 c:0" },
])("a request's own limits decide whom it asks: $asked", async ({ routing, asked }) => {
  await using fleet = await startFleet({ instances: ["a", "b", "c"], config: POOL });
  for (const name of ["a", "b"]) fleet.script(name, (wire) => wire.json({ error: "no" }, 500));

  const ask = chat("pool:main", { veriroute: { routing } });
  await (await fleet.router.post("/v1/chat/completions", ask)).text();

  expect(fleet.asked()).toBe(asked);
  expect(fleet.bodies("a")[0]).not.toHaveProperty("veriroute");
});

test.each([
  { configured: "return", asked: "failover", served: "b:m" },
  { configured: "failover", asked: "return", served: "a:m" },
])("a refusal is handled as the request asks, $asked, not $configured", async (row) => {
  const config = `${POOL}[routing]\non_refusal = "${row.configured}"\n`;
  await using fleet = await startFleet({ instances: ["a", "b", "c"], config });
  fleet.script("a", (wire) => wire.json({ ...completion(""), choices: [REFUSAL] }));

  const veriroute = { routing: { on_refusal: row.asked } };
  const response = await fleet.router.post(
    "/v1/chat/completions",
    chat("pool:main", { veriroute }),
  );
  await response.text();

  expect(response.headers.get("x-veriroute-target")).toBe(row.served);
});

test("a setting that is misspelt is refused with its nearest name, and nobody is asked", async () => {
  await using fleet = await startFleet({ instances: ["a", "b", "c"], config: POOL });

  const veriroute = { routing: { max_attempt: 1 } };
  const { status, body } = await fleet.call(
    "POST",
    "/v1/chat/completions",
    chat("pool:main", { veriroute }),
  );

  expect({ status, message: body.error.message }).toEqual({
    status: 400,
    message: "`veriroute.routing` has no key `max_attempt`; did you mean `max_attempts`?",
  });
  expect(fleet.asked()).toBe("a:0 b:0 c:0");
});
