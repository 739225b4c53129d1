import { expect, test } from "bun:test";

import { runBinary, type RunningBinary, startBinary } from "../support/binary.ts";
import { chat, provider } from "../support/router.ts";
import { completion, scriptedUpstream, type Wire } from "../support/scripted-upstream.ts";
import { tempDir } from "../support/temp-dir.ts";

/** What keeps each target of the pool out is in its name; `ready` and `spare` are fine. */
const NAMES = [
  "ready",
  "barred",
  "foreign",
  "toolless",
  "small",
  "retired",
  "paused",
  "refused",
  "broken",
  "busy",
  "spare",
];

const ANSWERS: Readonly<Record<string, (wire: Wire) => void>> = {
  refused: (wire) =>
    wire.json({ error: { message: "Incorrect API key", code: "invalid_api_key" } }, 401),
  broken: (wire) => wire.json({ error: { message: "internal" } }, 500),
  busy: (wire) => wire.json({ error: { message: "slow down" } }, 429, { "retry-after": "3000" }),
};

const fine = (wire: Wire) => wire.json(completion("hi"));

const CARDS = '["toolless:m".capabilities]\ntools = false\n["small:m"]\nwindow_tokens = 1000\n';

/** The pool as docs/explain.md shows it, so that what it says of the output can be followed. */
const documentedConfig = async () =>
  /```toml\n(.*?)```/s.exec(await Bun.file("docs/explain.md").text())?.[1] ?? "";

const documentedOutput = async () =>
  /```console\n\$ veriroute explain [^\n]*\n(.*?)```/s.exec(
    await Bun.file("docs/explain.md").text(),
  )?.[1] ?? "";

/** Times differ from run to run; all else must not. */
const timeless = (text: string) =>
  text
    .replaceAll(/in \d+ \w+( \d+ \w+)?/g, (time) => "in …".padEnd(time.length))
    .replaceAll(/\d+ s\b/g, "… s")
    .replaceAll(/ +/g, " ");

interface Known {
  readonly target: string;
  readonly reasons: readonly { readonly layer: number; readonly code: string }[];
}

/** What keeps each target of the pool out, by the list at `path`. */
async function listed({ url }: RunningBinary, path: string, list: "targets" | "items") {
  const answer: Record<string, Known[]> = JSON.parse(
    await (await fetch(url + path, { proxy: false })).text(),
  );
  const entries = (answer[list] ?? [])
    .filter(({ target }) => !target.startsWith("sim:"))
    .map(({ target, reasons }) => [target, reasons.map(({ layer, code }) => `L${layer} ${code}`)]);
  return Object.fromEntries(entries);
}

test("explain says of every target of a pool, one for each layer, why it is out and when it is back", async () => {
  using directory = tempDir();
  const upstreams = NAMES.map((name) => scriptedUpstream(ANSWERS[name] ?? fine));
  const providers = NAMES.map((name, at) => provider(name, upstreams[at]?.base_url ?? ""))
    .join("")
    .replace(/(?<=\[providers\.foreign\]\ntype = )"[^"]+"/, '"vllm"');
  await Bun.write(directory.file("cards.toml"), CARDS);
  await Bun.write(
    directory.file("veriroute.toml"),
    `${providers}[providers.keyless]\ntype = "groq"\n${await documentedConfig()}`,
  );
  const body = { messages: [{ role: "user", content: "word ".repeat(2000) }], tools: [{}] };
  await Bun.write(directory.file("request.json"), JSON.stringify(body));
  const env = {
    VERIROUTE_STATE_DIR: directory.file("state"),
    VERIROUTE_ROUTING_DISCOVER_LOCAL: "false",
  };
  const cwd = directory.path;
  await using router = await startBinary(["--config", directory.file("veriroute.toml")], {
    env,
    cwd,
  });
  const post = async (path: string, sent: object) =>
    fetch(router.url + path, {
      method: "POST",
      proxy: false,
      headers: { "content-type": "application/json" },
      body: JSON.stringify(sent),
    });
  for (const name of ["refused", "busy", ...Array.from({ length: 5 }, () => "broken")]) {
    await (await post("/v1/chat/completions", chat(`${name}:m`))).text();
  }
  const until = Date.now() + 7_200_000;
  await post("/admin/v1/exclusions", { subject: "paused:m", reason: "its GPU is lent out", until });

  const explained = await runBinary(["explain", "pool:main", "--body", "request.json"], {
    env,
    cwd,
  });
  const json = await runBinary(["explain", "pool:main", "--body", "request.json", "--json"], {
    env,
    cwd,
  });

  expect(explained).toMatchObject({ code: 0, stderr: "" });
  expect(timeless(explained.stdout)).toBe(timeless(await documentedOutput()));
  const { plan, strategy, profile } = JSON.parse(json.stdout);
  expect([strategy, profile, plan.candidates.length]).toEqual(["priority", "house", 12]);

  const standing = {
    "ready:m": [],
    "barred:m": ["L0 not_allowed"],
    "foreign:m": [],
    "toolless:m": [],
    "small:m": [],
    "retired:m": ["L1 static_exclusion"],
    "paused:m": ["L2 operator_exclusion"],
    "refused:m": ["L4 unusable_auth"],
    "broken:m": ["L5 breaker_open", "L6 cooldown"],
    "busy:m": ["L6 cooldown"],
    "spare:m": [],
    "keyless:llama": ["L4 missing_credential"],
  };
  expect(await listed(router, "/v1/routing/health", "targets")).toEqual(standing);
  expect(await listed(router, "/admin/v1/targets?limit=500", "items")).toEqual(standing);
  for (const upstream of upstreams) upstream[Symbol.dispose]();
});
