import { expect, test } from "bun:test";

import { runBinary, type RunningBinary, startBinary } from "../support/binary.ts";
import { chat } from "../support/router.ts";
import { runIn } from "../support/state-directory.ts";
import { tempDir } from "../support/temp-dir.ts";

/** Everything that routing, health and preferences can be misconfigured with, and what is said of it. */
const PROBLEMS: readonly (readonly [line: string, key?: string, says?: string])[] = [
  ["[pools.main]"],
  ['strategy = "nearest"', "pools.main.strategy", "expected one of `priority`"],
  ["targets = ["],
  ['"nobody:m",', "pools.main.targets.0", "neither an instance nor a provider type"],
  ['"sim:echo?weight=NaN",', "pools.main.targets.1", "`weight` must be a number"],
  ['"sim:echo?weight=-1",', "pools.main.targets.2", "not -1"],
  ['"sim:echo?order=first",', "pools.main.targets.3", "`order` must be a number"],
  ['"sim:echo?order=-1",', "pools.main.targets.4", "not -1"],
  ['"sim:",', "pools.main.targets.5", "nothing follows the `:`"],
  ["]"],
  ["[aliases]"],
  ['here = "there"', "aliases.here", "run in a circle: `here` → `there` → `here`"],
  ['there = "here"', "aliases.there", "run in a circle"],
  ['nowhere = "pool:mian"', "aliases.nowhere", "did you mean `main`?"],
  ["[profiles.house]"],
  ['pool = "mian"', "profiles.house.pool", "did you mean `main`?"],
  ['params = { model = "m" }', "profiles.house.params.model", "cannot set `model`"],
  ["[profiles.house.allow]"],
  ["max_price = nan", "profiles.house.allow.max_price", "got NaN"],
  ['providers = ["nobody"]', "profiles.house.allow.providers.0", "neither an instance nor"],
  ["[exclusions]"],
  ['"" = "r"', 'exclusions.""', "names nothing"],
  ['"sim:" = "r"', 'exclusions."sim:"', "nothing follows the `:`"],
  ['"nobody:m" = "r"', 'exclusions."nobody:m"', "neither an instance nor a provider type"],
  ['"sim:echo" = ""', 'exclusions."sim:echo"', "a text that is not empty"],
  ["[allowlist]"],
  ["targets = ["],
  ['"sim",', "allowlist.targets.0", "write `sim:*`"],
  ['"sim:e*o",', "allowlist.targets.1", "only stand at the end"],
  ['"nobody:*",', "allowlist.targets.2", "neither an instance nor a provider type"],
  ["]"],
  ["[breaker]"],
  ["ratio = nan", "breaker.ratio", "got NaN"],
  ["consecutive = 0", "breaker.consecutive", "from 1 to 1000"],
  ["[cooldowns]"],
  ['rate_limit = "soon"', "cooldowns.rate_limit", "expected a duration"],
  ['bad_luck = "1s"', "cooldowns.bad_luck", "unknown key"],
  ["[routing]"],
  ['default_pool = "mian"', "routing.default_pool", "did you mean `main`?"],
  ['default_profile = "hose"', "routing.default_profile", "did you mean `house`?"],
  ['on_refusal = "maybe"', "routing.on_refusal", "`return`, `failover`"],
];

const BAD = PROBLEMS.map(([line]) => line).join("\n");

/** `file:line` and key of each problem, with part of its words. */
const EXPECTED = PROBLEMS.flatMap(([, key, says], at) =>
  key === undefined || says === undefined ? [] : [{ line: at + 1, key, says }],
);

test.each(["serve", "check"])("`%s` names every problem at once and ends with 78", async (name) => {
  using home = tempDir();
  await Bun.write(home.file("bad.toml"), BAD);
  const options = runIn(home.path);
  // With a database there is no doubt which profiles there are.
  await runBinary(["keys", "create", "--scope", "client"], options);

  const { code, stderr } = await runBinary([name, "--config", "bad.toml"], options);

  expect(code).toBe(78);
  const lines = stderr.split("\n").filter((line) => line.includes("bad.toml:"));
  expect(lines).toHaveLength(EXPECTED.length);
  for (const [at, { line, key, says }] of EXPECTED.entries()) {
    expect(lines[at]).toMatch(new RegExp(`bad\\.toml:${line}:\\d+: `));
    expect(lines[at]).toContain(`: ${key}: `);
    expect(lines[at]).toContain(says);
  }
});

const GOOD = `[pools.main]
targets = ["sim:echo"]
[profiles.house]
pool = "main"
[routing]
default_pool = "main"
default_profile = "house"
`;

const json = async ({ url }: RunningBinary, method: string, path: string, body?: object) => {
  const response = await fetch(url + path, {
    method,
    proxy: false,
    ...(body && {
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    }),
  });
  return { status: response.status, body: JSON.parse(await response.text()) };
};

/** All that could have changed, as an operator sees it. */
async function stateOf(server: RunningBinary): Promise<unknown> {
  const paths = ["config?limit=500", "exclusions", "profiles", "allowlist", "pools", "keys"];
  const answers = await Promise.all(paths.map((path) => json(server, "GET", `/admin/v1/${path}`)));
  const plan = await json(server, "POST", "/v1/routing/explain", chat("auto"));
  return [...answers.map(({ body }) => body), plan];
}

interface Refused {
  readonly method: string;
  readonly path: string;
  readonly body?: object;
  readonly param: string;
}

const exclusion = (subject: unknown, more: object = {}) => ({
  method: "POST",
  path: "/admin/v1/exclusions",
  body: { subject, reason: "r", ...more },
});
const setting = (key: string, value: unknown) => ({
  method: "PUT",
  path: `/admin/v1/config/${key}`,
  body: { value },
  param: "value",
});
const profile = (body: object) => ({ method: "PUT", path: "/admin/v1/profiles/mine", body });

const REFUSED: readonly Refused[] = [
  { ...exclusion(""), param: "subject" },
  { ...exclusion("  "), param: "subject" },
  { ...exclusion("sim:"), param: "subject" },
  { ...exclusion("nobody"), param: "subject" },
  { ...exclusion("nobody:m"), param: "subject" },
  { ...exclusion("sim:echo", { reason: " " }), param: "reason" },
  { ...exclusion("sim:echo", { until: 1 }), param: "until" },
  { ...profile({ pool: "mian" }), param: "pool" },
  { ...profile({ params: { weight: 1 } }), param: "params.weight" },
  { ...profile({ allow: { providers: ["nobody"] } }), param: "allow.providers.0" },
  {
    method: "POST",
    path: "/admin/v1/allowlist",
    body: { target: "nobody:*" },
    param: "target",
  },
  { method: "POST", path: "/admin/v1/allowlist", body: { target: "sim:*o" }, param: "target" },
  {
    method: "POST",
    path: "/admin/v1/keys",
    body: { name: "n", scope: "client", profile: "hose" },
    param: "profile",
  },
  { method: "POST", path: "/admin/v1/health/clear", body: { subject: "nobody" }, param: "subject" },
  { method: "DELETE", path: "/admin/v1/profiles/house", param: "name" },
  setting("routing.default_profile", "hose"),
  setting("routing.default_pool", "mian"),
  setting("routing.on_refusal", "maybe"),
  setting("routing.max_attempts", 0),
  setting("routing.max_attempts", "three"),
];

test("what the API is asked for and cannot be is a 422 that names the field, and nothing changes", async () => {
  using home = tempDir();
  const file = home.file("veriroute.toml");
  await Bun.write(file, GOOD);
  await using server = await startBinary(["--config", file], runIn(home.path));
  const before = await stateOf(server);

  for (const { method, path, body, param } of REFUSED) {
    const answer = await json(server, method, path, body);

    const expected =
      method === "DELETE"
        ? { status: 409, code: "defined_in_file" }
        : { status: 422, code: "invalid_value" };
    expect({ path, body, status: answer.status, ...answer.body.error }).toMatchObject({
      path,
      param,
      ...expected,
    });
  }
  await Bun.write(file, BAD);
  const reloaded = await json(server, "POST", "/admin/v1/config/reload");

  expect([reloaded.status, reloaded.body.error.code]).toEqual([422, "invalid_value"]);
  expect(
    reloaded.body.error.details.problems.map(({ path }: { readonly path: string }) => path),
  ).toEqual(EXPECTED.map(({ key }) => key));
  expect(await stateOf(server)).toEqual(before);
  const audit = await json(server, "GET", "/admin/v1/audit");
  expect(audit.body.items).toMatchObject([{ action: "config.reload_refused" }]);
});
