import { afterAll, beforeAll, describe, expect, test } from "bun:test";

import type { Decision } from "../../src/routing/decision.ts";
import { fine } from "../support/behaving-fleet.ts";
import { FAILURES } from "../support/failure-rows.ts";
import { serveConfig } from "../support/home-server.ts";
import { observe } from "../support/observe.ts";
import { chat, provider } from "../support/router.ts";
import { type ScriptedUpstream, scriptedUpstream } from "../support/scripted-upstream.ts";

const cases = FAILURES.flatMap((row) => [
  { ...row, stream: false },
  { ...row, stream: true },
]).map((row, at) => Object.assign(row, { at }));

const isStream = (body: Uint8Array) => new TextDecoder().decode(body).includes('"stream":true');

const upstreams = new Map<string, ScriptedUpstream>();
let server: Awaited<ReturnType<typeof serveConfig>>;

/** For each case `more` fails before `spare`, and `alone` has nobody beside it. */
beforeAll(async () => {
  for (const { behaviour, at } of cases) {
    for (const name of [`more${at}`, `alone${at}`]) {
      upstreams.set(
        name,
        scriptedUpstream((wire, { body }) => behaviour(wire, isStream(body))),
      );
    }
  }
  upstreams.set(
    "spare",
    scriptedUpstream((wire, { body }) => fine(wire, isStream(body))),
  );
  const providers = [...upstreams].map(([name, { base_url }]) => provider(name, base_url));
  const pools = cases.flatMap(({ at }) => [
    `more${at} = ["more${at}:m", "spare:m"]\n`,
    `alone${at} = ["alone${at}:m"]\n`,
  ]);
  server = await serveConfig(`${providers.join("")}[pools]\n${pools.join("")}`);
}, 60_000);

afterAll(async () => {
  await server[Symbol.asyncDispose]();
  for (const upstream of upstreams.values()) upstream[Symbol.dispose]();
});

async function ask(pool: string, stream: boolean) {
  const response = await fetch(`${server.url}/v1/chat/completions`, {
    method: "POST",
    proxy: false,
    headers: { "content-type": "application/json" },
    body: JSON.stringify(chat(`pool:${pool}`, { stream })),
  });
  const text = await response.text();
  const { headers, status } = response;
  const decision: Decision = await observe(server).decision(headers.get("x-veriroute-decision"));
  return {
    text,
    decision,
    client: {
      status,
      code: /"code":"([a-z_]+)"/.exec(text)?.[1] ?? null,
      retry_after: headers.get("retry-after"),
      should_retry: headers.get("x-should-retry"),
    },
  };
}

const read = async (path: string) =>
  JSON.parse(await (await fetch(server.url + path, { proxy: false })).text());

/** What keeps a target out, and for how many milliseconds each cooldown was set. */
async function benchOf(target: string) {
  const { targets }: Record<string, { target: string; reasons: { code: string }[] }[]> =
    await read("/v1/routing/health");
  const {
    cooldowns,
  }: Record<string, { target: string; since_at: number; until_at: number | null }[]> =
    await read("/v1/explain/routing");
  return {
    codes: targets?.find((one) => one.target === target)?.reasons.map(({ code }) => code) ?? [],
    lasts: (cooldowns ?? [])
      .filter((one) => one.target === target)
      .map(({ since_at, until_at }) => (until_at === null ? null : until_at - since_at)),
  };
}

describe.each(cases)(
  "$kind, told by $told, stream: $stream",
  ({ kind, stream, at, calls, moves, bench, alone }) => {
    test("is called, moved and benched as its kind says, unseen by the client", async () => {
      const told = await ask(`more${at}`, stream);

      expect(upstreams.get(`more${at}`)?.requests).toHaveLength(calls);
      expect(told.decision.attempts.map((one) => `${one.target} ${one.kind}`)).toEqual([
        ...Array.from({ length: calls }, () => `more${at}:m ${kind}`),
        ...(moves ? ["spare:m ok"] : []),
      ]);
      expect(told.client).toMatchObject(
        moves ? { status: 200, code: null } : { status: alone.status, code: alone.code },
      );
      expect(await benchOf(`more${at}:m`)).toEqual(
        bench === null ? { codes: [], lasts: [] } : { codes: [bench.code], lasts: [bench.ms] },
      );
    });

    test("ends as its kind says when nobody else is left", async () => {
      const { client, decision } = await ask(`alone${at}`, stream);

      expect(client).toEqual(alone);
      expect(decision).toMatchObject({
        outcome: "failed",
        status: alone.status,
        error_code: alone.code,
      });
      expect(upstreams.get(`alone${at}`)?.requests).toHaveLength(calls);
    });
  },
);
