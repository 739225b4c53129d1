/** Whole lives of rented GPUs: the compiled router, a fake of Colab that knows what is billing. */
import { expect, test } from "bun:test";

import { askRented, rented, REPO } from "../support/rented.ts";
import { until } from "../support/until.ts";

const LIMIT_MS = 120_000;

test(
  "up, a chat request through the router, and down",
  async () => {
    await using made = rented();
    await using server = await made.serve();

    const up = await made.run("up", REPO, "--name", "gpu", "--yes");
    const answer = await askRented(server.url, `gpu:${REPO}`);
    const text = await answer.text();
    const status = await made.run("status", "--json");
    const billing = made.colab.billing().length;
    const down = await made.run("down", "gpu");

    expect(up).toMatchObject({ code: 0, stdout: `gpu is ready: ask for gpu:${REPO}\n` });
    expect(up.stderr).toContain("T4 burns ~1.19 CU an hour, 0.12 USD");
    expect(text).toContain("rented words");
    expect(JSON.parse(status.stdout)).toMatchObject({
      items: [{ name: "gpu", phase: "ready", watched_by: server.pid, notice: null }],
    });
    expect(billing).toBe(1);
    expect(down).toMatchObject({
      code: 0,
      stdout: "gpu is released: two listings lack its machine\n",
    });
    expect(made.colab.billing()).toEqual([]);
    await until(() => made.lease("gpu") === null);
  },
  LIMIT_MS,
);
