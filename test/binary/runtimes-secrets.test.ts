/** T18: keys and tokens are looked for in everything that a runtime's life leaves behind. */
import { expect, test } from "bun:test";
import { lstatSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { filesBelow, filesWith, processTexts, textsIn } from "../support/marker-scan.ts";
import { askRented, HF_TOKEN, rented, UP } from "../support/rented.ts";

const LIMIT_MS = 60_000;

test.concurrent(
  "T18: no secret is in arguments, environments, leases, logs, histories or scripts",
  async () => {
    await using made = await rented();
    const server = await made.serve();
    const up = await made.run(...UP);
    await askRented(server.url, "gpu");
    const logs = await made.run("logs", "gpu");
    const status = await made.run("status", "--json");
    const key = readFileSync(join(made.state_dir, "colab/gpu/server-key"), "utf8");
    const secrets = [key, HF_TOKEN, "ya29.fake-bearer-token", "fake-proxy-token-1-1"];
    const running = processTexts(join(made.state_dir, "colab"));
    const during = filesBelow(made.state_dir).filter((path) => !path.endsWith("sessions.json"));
    const found = (where: readonly string[]) => textsIn(secrets, where);
    const inFiles = filesWith(secrets, during);
    await made.run("down", "gpu");
    server.signal("SIGTERM");
    await server.exited;

    expect([...made.keys]).toEqual([`Bearer ${key}`]);
    expect(running.length).toBeGreaterThan(0);
    expect(found(running)).toEqual([]);
    expect(found(made.colab.calls().map((call) => JSON.stringify(call)))).toEqual([]);
    expect(inFiles).toEqual([join(made.state_dir, "colab/gpu/server-key")]);
    expect(lstatSync(made.state_dir).mode & 0o777).toBe(0o700);
    const said = [up, logs, status].flatMap(({ stdout, stderr }) => [stdout, stderr]);
    expect(found([...said, server.stdout(), server.stderr()])).toEqual([]);
    expect(filesWith(secrets, filesBelow(made.state_dir))).toEqual([]);
    expect(made.colab.billing()).toEqual([]);
  },
  LIMIT_MS,
);
