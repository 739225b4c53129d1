import { afterAll, expect, test } from "bun:test";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { startBinary } from "../support/binary.ts";
import { MARKED, markedVendor, MARKS } from "../support/marked-vendor.ts";
import { runIn } from "../support/state-directory.ts";
import { tempDir } from "../support/temp-dir.ts";
import { until } from "../support/until.ts";

const home = tempDir();
const state = tempDir();
const vendor = markedVendor();
const config = home.file("veriroute.toml");
writeFileSync(
  config,
  `[providers.vendor]
type = "openai-compatible"
base_url = "${vendor.base_url}"
api_key = "${MARKS.secret}"
models = ${JSON.stringify(Object.keys(MARKED))}
`,
);
const server = await startBinary(
  ["--config", config],
  runIn(state.path, { VERIROUTE_LOG_LEVEL: "trace" }),
);
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  for (const one of [home, state, vendor]) one[Symbol.dispose]();
});

const json = { "content-type": "application/json" };
/** A body with the mark wherever a client may put text. */
const bodyFor = (model: string, prompt: string) => ({
  model: `vendor:${model}`,
  stream: model.includes("stream"),
  messages: [
    { role: "system", content: prompt },
    { role: "user", content: [{ type: "text", text: prompt }] },
  ],
  user: prompt,
  prompt_cache_key: prompt,
  metadata: { [prompt]: prompt },
  veriroute: { session: prompt },
});

async function post(path: string, body: string): Promise<string> {
  return (await fetch(server.url + path, { method: "POST", headers: json, body })).text();
}

async function ask(model: string, prompt: string): Promise<string> {
  const answer = await fetch(`${server.url}/v1/chat/completions?note=${prompt}`, {
    method: "POST",
    headers: { ...json, "x-session-id": prompt, "idempotency-key": prompt },
    body: JSON.stringify(bodyFor(model, prompt)),
  });
  return answer.text();
}

/** The explain record that comes with an answer on request. */
async function explain(model: string): Promise<unknown> {
  const answer = await fetch(`${server.url}/v1/chat/completions`, {
    method: "POST",
    headers: { ...json, "x-veriroute-debug": "1" },
    body: JSON.stringify(bodyFor(model, MARKS.prompt)),
  });
  return JSON.parse(await answer.text()).veriroute.explain;
}

const get = async (path: string) => (await fetch(server.url + path)).text();

/** Bodies that go wrong before a vendor sees them. */
const REFUSED: readonly { path: string; body: string }[] = [
  { path: "/v1/chat/completions", body: `{"messages": [{"content": "${MARKS.prompt}"` },
  { path: "/v1/chat/completions", body: `{"model": 1, "messages": "${MARKS.prompt}"}` },
  { path: "/v1/chat/completions", body: `{"messages": [], "${MARKS.prompt}": 1}` },
  { path: "/v1/embeddings", body: `{"input": {"${MARKS.prompt}": 1}}` },
  { path: "/v1/completions", body: `{"prompt": 1, "x": "${MARKS.prompt}"}` },
];

const marksIn = (text: string) => Object.values(MARKS).filter((mark) => text.includes(mark));

const PAGES = [
  "/metrics",
  "/v1/explain/routing?limit=500",
  "/v1/routing/health",
  "/v1/models",
  "/admin/v1/decisions?limit=500",
  "/admin/v1/providers",
  "/admin/v1/targets",
  "/admin/v1/pools",
  "/admin/v1/config",
  "/admin/v1/audit",
  "/admin/v1/verifications?limit=500",
  "/admin/v1/breakers",
  "/admin/v1/exclusions",
  "/admin/v1/breakers/suspicions",
  "/admin/v1/notifications",
  "/health/ready",
];

/** The life of the router, from marks going through it to its end; the tests look at what is left. */
async function liveThrough() {
  const answers = new Map<string, string>();
  for (const model of Object.keys(MARKED)) answers.set(model, await ask(model, MARKS.prompt));
  // A prompt that nobody has sent before is a witness of its own: enough of them trip a breaker.
  for (let n = 0; n < 6; n++) await ask("mangled", `${MARKS.prompt} ${n}`);
  const explained = await explain("mangled");
  const refusals = await Promise.all(REFUSED.map(({ path, body }) => post(path, body)));
  const plan = await post("/v1/routing/explain", JSON.stringify(bodyFor("answer", MARKS.prompt)));
  await get(`/v1/routing/explain?prompt=${MARKS.prompt}`);
  await get(`/v1/nothing/${MARKS.prompt}`);
  vendor[Symbol.dispose]();
  const later = await Promise.all(Object.keys(MARKED).map((model) => ask(model, "hello")));
  const pages = new Map<string, string>();
  for (const path of PAGES) pages.set(path, await get(path));
  const whileRunning = filesOf(state.path);
  server.signal("SIGTERM");
  await server.exited;
  await until(() => server.stderr().includes("letting open requests end"));
  const files = [...whileRunning, ...filesOf(state.path)];
  const said = server.stdout() + server.stderr();
  return { answers, explained, refusals, plan, later, pages, files, said };
}

const left = await liveThrough();

test("the marks went out and came in, so that there is something to be found", () => {
  const sent = vendor.requests.map(({ headers, body }) => [
    headers.get("authorization"),
    new TextDecoder().decode(body),
  ]);

  expect(marksIn(JSON.stringify(sent))).toEqual([MARKS.prompt, MARKS.secret]);
  expect(left.answers.get("answer")).toContain(MARKS.answer);
  expect(left.answers.get("stream")).toContain(MARKS.answer);
  expect(left.answers.get("own-400")).toContain(MARKS.vendorError);
  const found = left.pages.get("/admin/v1/verifications?limit=500") ?? "";
  for (const signature of ["empty_200", "mojibake", "html_error_page", "tool_json_invalid"]) {
    expect(found).toContain(`"${signature}"`);
  }
  expect(left.pages.get("/admin/v1/notifications")).toContain("signature:mojibake");
});

test.each(Object.keys(MARKED))(
  "the answer of %s repeats neither prompt nor credential",
  (model) => {
    const marks = marksIn(left.answers.get(model) ?? MARKS.prompt);

    expect(marks).not.toContain(MARKS.prompt);
    expect(marks).not.toContain(MARKS.secret);
  },
);

test("a body that is refused is not repeated", () => {
  const codes = left.refusals.map((text) => JSON.parse(text).error.code);

  expect(codes).toEqual(codes.map(() => expect.stringMatching(/^invalid_(json|request)$/)));
  expect(left.refusals.flatMap(marksIn)).toEqual([]);
});

test("the explain record of a bad answer shows no mark", () => {
  expect(left.explained).toMatchObject({ attempts: [{ verification: { signature: "mojibake" } }] });
  expect(marksIn(JSON.stringify(left.explained))).toEqual([]);
});

test("requests that fail later are told nothing of earlier ones", () => {
  expect(left.later.filter((text) => !text.includes('"error"'))).toEqual([]);
  expect(left.later.flatMap(marksIn)).toEqual([]);
});

test.each(PAGES)("%s shows no mark", (path) => {
  const text = left.pages.get(path) ?? "";

  expect(text.length).toBeGreaterThan(10);
  expect(marksIn(text)).toEqual([]);
});

test("the plan of a request shows no mark", () => {
  expect(left.plan).toContain('"candidates"');
  expect(marksIn(left.plan)).toEqual([]);
});

test("the log holds no mark, even at its most talkative", () => {
  const lines = left.said.split("\n").filter((line) => line.includes('"msg":"request"'));

  expect(lines.length).toBeGreaterThan(Object.keys(MARKED).length);
  expect(marksIn(left.said)).toEqual([]);
});

test("no file of the state directory holds a mark, neither while it is open nor afterwards", () => {
  const marked = left.files.filter(({ text }) => marksIn(text).length > 0);

  expect(left.files.map(({ name }) => name)).toContain("veriroute.db");
  expect(left.files.map(({ name }) => name)).toContain("veriroute.db-wal");
  expect(marked.map(({ name }) => name)).toEqual([]);
});

function filesOf(directory: string) {
  return readdirSync(directory, { recursive: true })
    .map(String)
    .filter((name) => statSync(join(directory, name)).isFile())
    .map((name) => ({ name, text: readFileSync(join(directory, name), "latin1") }));
}
