import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { join } from "node:path";

import { type CallAnswer, type Fleet, startFleet } from "../support/fleet.ts";
import { chat } from "../support/router.ts";
import { until } from "../support/until.ts";

const POOLS = '[pools]\nmain = "a:m?temperature=1"\nother = "b:m"\n';
const FILE = `${POOLS}[routing]\ndefault_pool = "main"\n[profiles.filed]\npool = "other"\nparams = { effort = "low" }\n`;
const BASE = "/admin/v1/profiles";

const start = (config = FILE) => startFleet({ instances: ["a", "b"], config });

const put = (fleet: Fleet, name: string, body: object) =>
  fleet.call("PUT", `${BASE}/${name}`, body);
const setDefault = (fleet: Fleet, value: unknown) =>
  fleet.call("PUT", "/admin/v1/config/routing.default_profile", { value });

async function served({ router }: Fleet, model: string, more: object = {}, init: RequestInit = {}) {
  const response = await router.post("/v1/chat/completions", chat(model, more), init);
  await response.text();
  return response.headers.get("x-veriroute-target");
}

async function defaults(fleet: Fleet): Promise<string[]> {
  const { body } = await fleet.call("GET", BASE);
  return body.items.filter((row) => row.is_default).map((row) => row.name);
}

describe("the default profile", () => {
  test("decides what a request without a profile gets, from the next one on", async () => {
    await using fleet = await start();

    expect(await served(fleet, "auto")).toBe("a:m");
    expect((await setDefault(fleet, "filed")).status).toBe(200);

    expect([await served(fleet, "auto"), await served(fleet, "veriroute/auto")]).toEqual([
      "b:m",
      "b:m",
    ]);
    expect(fleet.bodies("b")[0]).toMatchObject({ reasoning_effort: "low" });
    expect(await served(fleet, "pool:main")).toBe("a:m");
    expect(fleet.bodies("a")[1]).toMatchObject({ reasoning_effort: "low", temperature: 1 });
  });

  test("is marked on exactly one row, and in its own view, before and after a switch", async () => {
    await using fleet = await start();
    await put(fleet, "stored", { pool: "main" });

    expect(await defaults(fleet)).toEqual([]);
    await setDefault(fleet, "stored");
    expect(await defaults(fleet)).toEqual(["stored"]);
    await setDefault(fleet, "filed");
    expect(await defaults(fleet)).toEqual(["filed"]);
    expect((await fleet.call("GET", `${BASE}/filed`)).body.is_default).toBe(true);
    expect((await fleet.call("GET", `${BASE}/stored`)).body.is_default).toBe(false);
  });

  test("is chosen by the config endpoint alone, which refuses what does not exist", async () => {
    await using fleet = await start();

    expect(await setDefault(fleet, "filde")).toEqual<unknown>({
      status: 422,
      body: {
        error: {
          code: "invalid_value",
          message: "`routing.default_profile`: there is no profile `filde`; did you mean `filed`?",
          param: "value",
          details: null,
        },
      },
    });
    expect((await setDefault(fleet, 7)).status).toBe(422);
    expect((await put(fleet, "x", { is_default: true })).status).toBe(400);
    expect(await defaults(fleet)).toEqual([]);
  });

  test("written by another process counts, and so does one that another process made", async () => {
    await using fleet = await start();
    const db = new Database(join(fleet.router.directory, "state", "veriroute.db"));
    db.run(`INSERT INTO profile (name, value) VALUES ('theirs', '{"pool":"other"}')`);
    db.run(
      `INSERT INTO config_override (key, value) VALUES ('routing.default_profile', '"theirs"')`,
    );
    db.close();

    await until(async () => (await defaults(fleet)).length === 1);
    expect(await defaults(fleet)).toEqual(["theirs"]);
    expect(await served(fleet, "auto")).toBe("b:m");
  });

  test("cannot be deleted, which its row says before anyone tries", async () => {
    await using fleet = await start();
    await put(fleet, "stored", {});
    await setDefault(fleet, "stored");
    const reason =
      "Profile `stored` is the default: set `routing.default_profile` to another, or drop it, first.";

    expect((await fleet.call("GET", `${BASE}/stored`)).body).toMatchObject({
      deletable: false,
      reason,
    });
    expect(await fleet.call("DELETE", `${BASE}/stored`)).toMatchObject({
      status: 422,
      body: { error: { code: "invalid_value", message: reason, param: "name" } },
    });
    await fleet.call("DELETE", "/admin/v1/config/routing.default_profile");
    expect(await fleet.call("DELETE", `${BASE}/stored`)).toEqual<unknown>({
      status: 200,
      body: { name: "stored" },
    });
  });
});

describe("a profile made by API", () => {
  test("is made, replaced, listed beside those of the file, and gone after its deletion", async () => {
    await using fleet = await start();
    const made = await put(fleet, "frugal", {
      pool: "other",
      params: { temperature: 0.2 },
      allow: { max_price: 1.5, providers: ["A"] },
      verify: "observe",
      hold_back: true,
    });
    const replaced = await put(fleet, "frugal", { pool: null });
    const row = {
      name: "frugal",
      source: "store",
      is_default: false,
      deletable: true,
      reason: null,
      pool: null,
      params: {},
      allow: { max_price: null, providers: null },
      verify: "rescue",
      hold_back: false,
    };

    expect(made).toEqual<unknown>({
      status: 201,
      body: {
        ...row,
        pool: "other",
        params: { temperature: 0.2 },
        allow: { max_price: 1.5, providers: ["A"] },
        verify: "observe",
        hold_back: true,
      },
    });
    expect(replaced).toEqual<unknown>({ status: 200, body: row });
    const { body } = await fleet.call("GET", BASE);
    expect(body.items.map(({ name }) => name)).toEqual(["filed", "frugal"]);
    await fleet.call("DELETE", `${BASE}/frugal`);
    expect((await fleet.call("GET", `${BASE}/frugal`)).status).toBe(404);
    const { items } = (await fleet.call("GET", "/admin/v1/audit")).body;
    expect(items.map(({ action }) => action)).toEqual([
      "profile.delete",
      "profile.replace",
      "profile.create",
    ]);
  });

  test("is listed for clients and routes by name, by block and by alias", async () => {
    await using fleet = await start(`${FILE}[aliases]\nmini = "profile:filed"\n`);
    await put(fleet, "mine", { pool: "other", allow: { providers: ["b"] } });
    const models = await (await fleet.router.get("/v1/models")).text();

    expect(models).toContain('"id":"profile:mine"');
    expect(await served(fleet, "profile:mine")).toBe("b:m");
    expect(await served(fleet, "auto", { veriroute: { profile: "mine" } })).toBe("b:m");
    expect(await served(fleet, "mini")).toBe("b:m");
    const refused = await fleet.router.post(
      "/v1/chat/completions",
      chat("pool:main", { veriroute: { profile: "mine" } }),
    );
    expect(refused.status).toBe(503);
    expect(await refused.text()).toContain("profile `mine` allows only `b`");
  });

  test.each<{ name: string; body: object; status: number; says: string }>([
    {
      name: "x",
      body: { pool: "mian" },
      status: 422,
      says: "`pool`: there is no pool `mian`; did you mean `main`?",
    },
    {
      name: "x",
      body: { params: { model: "m", order: 1 }, allow: { providers: ["opnai"] } },
      status: 422,
      says: "`params.model`: a profile cannot set `model`. `params.order`: a profile cannot set `order`; write it into a pool's target. `allow.providers.0`: `opnai` is neither an instance nor a provider type; did you mean `openai`?",
    },
    { name: "a%20b", body: {}, status: 422, says: "`a b` cannot name a profile" },
    { name: "x", body: { allow: { max_price: -1 } }, status: 400, says: "allow.max_price" },
    { name: "x", body: { verify: "on" }, status: 400, says: "verify" },
    { name: "x", body: { colour: "red" }, status: 400, says: "`colour` is not known here" },
    { name: "filed", body: {}, status: 409, says: "defined in the config file" },
  ])("$name with $body is refused: $says", async ({ name, body, status, says }) => {
    await using fleet = await start();
    const refused = await put(fleet, name, body);
    const { body: after } = await fleet.call("GET", BASE);

    expect(refused.status).toBe(status);
    expect(refused.body.error.message).toContain(says);
    expect(after.items).toHaveLength(1);
  });

  test("of the file is read-only, and so is its deletion", async () => {
    await using fleet = await start();

    expect((await fleet.call("GET", `${BASE}/filed`)).body).toMatchObject({
      source: "file",
      deletable: false,
    });
    expect(await fleet.call("DELETE", `${BASE}/filed`)).toMatchObject({
      status: 409,
      body: { error: { code: "defined_in_file" } },
    });
  });
});

/** Calls the router as its admin. */
async function asRoot(fleet: Fleet, method: string, path: string, body?: object) {
  const response = await fetch(fleet.router.url + path, {
    method,
    proxy: false,
    headers: { authorization: "Bearer root", "content-type": "application/json" },
    ...(body && { body: JSON.stringify(body) }),
  });
  const answer: CallAnswer["body"] = JSON.parse(await response.text());
  return { status: response.status, body: answer };
}

const ROOTED = `[server]\nadmin_key = "root"\n${FILE}`;

describe("the profile of a key", () => {
  test("goes with its requests, keeps the profile from being deleted, and must exist", async () => {
    await using fleet = await start(ROOTED);
    const as = asRoot.bind(null, fleet);
    await as("PUT", `${BASE}/team`, { pool: "other" });
    const key = { name: "laptop", scope: "client" };
    const made = await as("POST", "/admin/v1/keys", { ...key, profile: "team" });
    const headers = { authorization: `Bearer ${made.body.key}` };

    expect(await served(fleet, "auto", {}, { headers })).toBe("b:m");
    expect(await served(fleet, "auto", {}, { headers: { "x-api-key": "root" } })).toBe("a:m");
    const explained = await fleet.router.post("/v1/routing/explain", chat("auto"), { headers });
    expect(await explained.json()).toMatchObject({
      profile: "team",
      notes: [
        "`auto` is pool `other`, by profile `team`",
        "profile `team`, that of the client's key",
      ],
    });
    expect((await as("DELETE", `${BASE}/team`)).body.error.message).toContain("Key `laptop` has");
    expect(await as("POST", "/admin/v1/keys", { ...key, profile: "nobody" })).toMatchObject({
      status: 422,
      body: { error: { code: "invalid_value", param: "profile" } },
    });
  });

  test("can be changed and taken away, from the next request on and on record", async () => {
    await using fleet = await start(ROOTED);
    const made = await asRoot(fleet, "POST", "/admin/v1/keys", { name: "laptop", scope: "client" });
    const headers = { authorization: `Bearer ${made.body.key}` };
    const path = `/admin/v1/keys/${made.body.id}`;
    const change = (profile: unknown) => asRoot(fleet, "PATCH", path, { profile });

    expect(await served(fleet, "auto", {}, { headers })).toBe("a:m");
    expect(await change("filed")).toMatchObject({
      status: 200,
      body: { id: made.body.id, name: "laptop", scope: "client", profile: "filed" },
    });
    expect(await served(fleet, "auto", {}, { headers })).toBe("b:m");
    expect(await change("fiuled")).toMatchObject({
      status: 422,
      body: { error: { code: "invalid_value", param: "profile" } },
    });
    expect((await asRoot(fleet, "PATCH", path, { name: "x" })).status).toBe(400);
    expect(await served(fleet, "auto", {}, { headers })).toBe("b:m");
    expect((await change(null)).body).toMatchObject({ profile: null });
    expect(await served(fleet, "auto", {}, { headers })).toBe("a:m");

    const { items } = (await asRoot(fleet, "GET", "/admin/v1/audit")).body;
    expect(items.slice(0, 2)).toMatchObject([
      { action: "key.change", subject: made.body.id, detail: "no profile" },
      { action: "key.change", subject: made.body.id, detail: "profile `filed`" },
    ]);
    await asRoot(fleet, "DELETE", path);
    expect((await change("filed")).status).toBe(404);
  });
});
