import { describe, expect, test } from "bun:test";

import { failing, fine, type Fleet, refusing, startFleet } from "../support/behaving-fleet.ts";

const exclude = ({ router }: Fleet, body: object) => router.post("/admin/v1/exclusions", body);
const list = async ({ router }: Fleet) => router.admin("/admin/v1/exclusions");
const remove = ({ router }: Fleet, id: string) =>
  router.get(`/admin/v1/exclusions/${encodeURIComponent(id)}`, { method: "DELETE" });

async function made(fleet: Fleet, body: object): Promise<Record<string, unknown>> {
  return JSON.parse(await (await exclude(fleet, body)).text());
}

describe("an operator's exclusion", () => {
  test.each([
    { subject: "a", scope: "provider" },
    { subject: "a:m", scope: "target" },
    { subject: "A:m", scope: "target" },
  ])("of $subject takes the target out of its pool until it is removed", async (given) => {
    const { subject, scope } = given;
    await using fleet = await startFleet({ a: fine, b: fine });
    expect((await fleet.ask()).target).toBe("a:m");

    const exclusion = await made(fleet, { subject, reason: "loses its temper" });
    expect(exclusion).toEqual({
      id: exclusion["id"],
      scope,
      subject,
      reason: "loses its temper",
      source: "operator",
      created_at: fleet.clock.now(),
      until_at: null,
    });
    expect(await list(fleet)).toEqual({ items: [exclusion], next: null });
    expect((await fleet.ask()).target).toBe("b:m");
    expect(await fleet.reasons("a:m")).toEqual([
      { code: "operator_exclusion", detail: "loses its temper" },
    ]);

    const removed = await remove(fleet, String(exclusion["id"]));
    expect([removed.status, await removed.json()]).toEqual([200, exclusion]);
    expect((await fleet.ask()).target).toBe("a:m");
    expect(await list(fleet)).toEqual({ items: [], next: null });
  });

  test("ends when its time comes", async () => {
    await using fleet = await startFleet({ a: fine, b: fine });
    const until = new Date(fleet.clock.now() + 60_000).toISOString();

    expect(await made(fleet, { subject: "a", reason: "r", until })).toMatchObject({
      until_at: fleet.clock.now() + 60_000,
    });
    fleet.clock.move(59_999);
    expect((await fleet.ask()).target).toBe("b:m");
    fleet.clock.move(1);

    expect((await fleet.ask()).target).toBe("a:m");
    expect(await list(fleet)).toEqual({ items: [], next: null });
  });

  test("replaces an earlier one of the same subject", async () => {
    await using fleet = await startFleet({ a: fine });

    await made(fleet, { subject: "a", reason: "first" });
    const second = await made(fleet, { subject: "a", reason: "second", until: 9_999_999_999_999 });

    expect(await list(fleet)).toEqual({ items: [second], next: null });
  });

  test("holds even for a client that names the target, and when nothing else is left", async () => {
    await using fleet = await startFleet({ a: fine });
    await made(fleet, { subject: "a:m", reason: "never again" });

    for (const model of ["a:m", "pool:main"]) {
      const told = await fleet.ask({ model });
      expect(told).toMatchObject({ status: 503, code: "no_target_available", attempts: [] });
      expect(told.decision.plan.candidates[0]?.reasons).toEqual([
        { layer: 2, code: "operator_exclusion", detail: "never again", until_at: null },
      ]);
    }
    expect(fleet.calls("a")).toBe(0);
  });

  test("is not lifted by a success, by clearing health, or by a reload", async () => {
    await using fleet = await startFleet({ a: fine, b: fine });
    await made(fleet, { subject: "a:m", reason: "r" });

    await fleet.ask();
    await fleet.router.post("/admin/v1/health/clear", { subject: "a" });
    await fleet.router.get("/admin/v1/config/reload", { method: "POST" });

    expect((await fleet.ask()).target).toBe("b:m");
  });

  test("is written down with who made and who removed it", async () => {
    await using fleet = await startFleet({ a: fine });
    const { id } = await made(fleet, { subject: "a", reason: "r", until: 1_764_999_999_000 });
    await remove(fleet, String(id));

    expect(await fleet.router.admin("/admin/v1/audit")).toMatchObject({
      items: [
        { actor: "anonymous", action: "exclusion.remove", subject: "a", detail: null },
        {
          actor: "anonymous",
          action: "exclusion.add",
          subject: "a",
          detail: "r, until 2025-12-06T05:46:39.000Z",
        },
      ],
    });
  });

  test.each<{ body: object; param: string; says: string }>([
    { body: {}, param: "subject", says: "`subject` is missing" },
    { body: { subject: "", reason: "r" }, param: "subject", says: "names nothing" },
    { body: { subject: "a:", reason: "r" }, param: "subject", says: "nothing follows" },
    { body: { subject: "aa", reason: "r" }, param: "subject", says: "near it: `a`" },
    { body: { subject: "zzz:m", reason: "r" }, param: "subject", says: "no instance `zzz`" },
    { body: { subject: "a" }, param: "reason", says: "`reason` is missing" },
    { body: { subject: "a", reason: "  " }, param: "reason", says: "1 to 500" },
    { body: { subject: "a", reason: "r", until: "soon" }, param: "until", says: "RFC 3339" },
    { body: { subject: "a", reason: "r", until: 1 }, param: "until", says: "still to come" },
    { body: { subject: "a", reason: "r", until: -5 }, param: "until", says: "still to come" },
    { body: { subject: "a", reason: "r", for: "1h" }, param: "for", says: "known are `subject`" },
  ])("$body excludes nothing: $says", async ({ body, param, says }) => {
    await using fleet = await startFleet({ a: fine });

    const answer = await exclude(fleet, body);

    expect(answer.status).toBe(422);
    expect(await answer.json()).toMatchObject({
      error: { code: "invalid_value", param, message: expect.stringContaining(says) },
    });
    expect(await list(fleet)).toEqual({ items: [], next: null });
  });

  test("that does not exist cannot be removed", async () => {
    await using fleet = await startFleet({ a: fine });

    expect((await remove(fleet, "nobody")).status).toBe(404);
  });
});

describe("the config's exclusions", () => {
  const config = '[exclusions]\n"a:m" = "wrong language"\n';

  test("are listed, hold, and cannot be removed by API", async () => {
    await using fleet = await startFleet({ a: fine, b: fine }, { config });

    expect((await fleet.ask()).target).toBe("b:m");
    expect(await list(fleet)).toMatchObject({
      items: [{ id: "config:a:m", subject: "a:m", source: "config", reason: "wrong language" }],
    });
    expect(await fleet.reasons("a:m")).toEqual([
      { code: "static_exclusion", detail: "wrong language" },
    ]);
    const refused = await remove(fleet, "config:a:m");
    expect(refused.status).toBe(409);
    expect(await refused.json()).toMatchObject({ error: { code: "defined_in_file" } });
  });

  test("are listed beside an operator's own and beside what health says", async () => {
    await using fleet = await startFleet(
      { a: refusing(429, { message: "no" }, { "retry-after": "60" }), b: fine },
      { config: "[routing]\nretries = 0\n" },
    );
    await fleet.ask();
    await made(fleet, { subject: "a", reason: "whole" });
    await made(fleet, { subject: "a:m", reason: "one" });

    expect(await fleet.reasons("a:m")).toEqual([
      { code: "operator_exclusion", detail: "whole" },
      { code: "operator_exclusion", detail: "one" },
      { code: "cooldown", detail: "60 s left after rate_limit" },
    ]);
  });

  test.each([
    { text: '"zzz" = "r"', says: "neither an instance nor a provider type" },
    { text: '"a:" = "r"', says: "nothing follows" },
    { text: '"" = "r"', says: "names nothing" },
    { text: 'a = ""', says: "exclusions.a" },
    { text: 'a = " "', says: "has no reason" },
    { text: 'a = "r"\nA = "r"', says: "excluded twice" },
  ])("$text is an error at the start", async ({ text, says }) => {
    const started = startFleet({ a: failing }, { config: `[exclusions]\n${text}\n` });

    expect(await started.then(() => "started", String)).toContain(says);
  });
});
