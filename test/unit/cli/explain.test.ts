import { expect, test } from "bun:test";

import { returns } from "../../../src/cli/explain/returns.ts";
import type { Reason } from "../../../src/routing/plan.ts";
import { runCommand, SHELL_NOW } from "../../support/shell.ts";
import { tempDir } from "../../support/temp-dir.ts";

interface Asked {
  readonly path: string;
  readonly key: string | null;
  readonly body: unknown;
}

/** A server that answers every request alike and remembers what it was asked. */
function answering(answer: () => Response) {
  const asked: Asked[] = [];
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: async (request) => {
      asked.push({
        path: new URL(request.url).pathname,
        key: request.headers.get("authorization"),
        body: await request.json(),
      });
      return answer();
    },
  });
  return {
    url: `http://127.0.0.1:${server.port}`,
    asked,
    [Symbol.dispose]: () => server.stop(true),
  };
}

function reason(
  layer: number,
  code: string,
  detail: string | null = null,
  until_at: number | null = null,
): Reason {
  return { layer, code, detail, until_at };
}

const PLAN = {
  plan: {
    candidates: [
      { target: "a:m", eligible: true, reasons: [], score: null },
      {
        target: "b:m",
        eligible: false,
        reasons: [{ layer: 6, code: "cooldown", detail: "rate_limit", until_at: 0 }],
        score: null,
      },
    ],
  },
  profile: null,
  lane: null,
  classifier: null,
  strategy: "priority",
  notes: ["a note"],
};

test("the plan is a table: who is tried in which place, else each reason and when it is over", async () => {
  const answer = {
    ...PLAN,
    profile: "frugal",
    plan: {
      candidates: [
        { target: "a:m", eligible: true, reasons: [], score: null },
        { target: "c:m", eligible: true, reasons: [], score: null },
        {
          target: "b:m",
          eligible: false,
          reasons: [
            reason(2, "operator_exclusion", "moving house"),
            reason(6, "cooldown", "3599 s left after rate_limit", SHELL_NOW + 3_598_001),
          ],
          score: null,
        },
      ],
    },
  };
  using server = answering(() => Response.json(answer));

  const { code, stdout } = await runCommand(["explain", "pool:main", "--url", `${server.url}/`], {
    env: { VERIROUTE_ADMIN_KEY: "k1" },
  });

  expect(code).toBe(0);
  expect(stdout).toBe(
    [
      "`pool:main`: 2 of 3 targets eligible, in the order of `priority`, under profile `frugal`",
      "  #  TARGET  REASON                 RETURNS                   DETAIL",
      "  1  a:m     eligible",
      "  2  c:m     eligible",
      "  -  b:m     L2 operator_exclusion  once somebody removes it  moving house",
      "             L6 cooldown            in 59 min 59 s            3599 s left after rate_limit",
      "note: a note",
      "",
    ].join("\n"),
  );
  expect(server.asked).toEqual([
    {
      path: "/v1/routing/explain",
      key: "Bearer k1",
      body: { model: "pool:main", messages: [{ role: "user", content: "Hello" }] },
    },
  ]);
});

test.each<{ given: Reason; says: string }>([
  { given: reason(0, "not_allowed"), says: "once it is on the allowlist" },
  { given: reason(0, "unknown_instance"), says: "with a change of config" },
  { given: reason(4, "missing_credential"), says: "once it is set up" },
  { given: reason(4, "unusable_auth"), says: "with a new credential, or a good trial" },
  { given: reason(5, "breaker_open", null, SHELL_NOW + 1), says: "in 1 s" },
  { given: reason(5, "breaker_open"), says: "with the trial" },
  { given: reason(6, "cooldown", null, SHELL_NOW), says: "now" },
  { given: reason(2, "operator_exclusion", null, SHELL_NOW + 90_000_000), says: "in 1 d 1 h" },
  { given: reason(8, "something_new"), says: "" },
])("$given.code is over $says", ({ given, says }) => {
  expect(returns(given, SHELL_NOW)).toBe(says);
});

test("docs/explain.md says of every reason what `explain` says of its end", async () => {
  const text = await Bun.file("docs/explain.md").text();
  const rows = [...text.matchAll(/^\| (\d) +\| `([a-z_:]+)` +\|[^|]+\|([^|]*)\|$/gm)];
  const documented = rows.map(([, layer, code = "", says = ""]) => ({
    layer: Number(layer),
    code,
    says: says.trim(),
  }));

  expect(documented.length).toBeGreaterThan(20);
  for (const { layer, code, says } of documented) {
    expect([code, says]).toEqual([code, returns(reason(layer, code), SHELL_NOW)]);
  }
});

test("a prompt may come from standard input, in pieces", async () => {
  using server = answering(() => Response.json(PLAN));
  const bytes = new TextEncoder().encode("grüße");

  const args = ["explain", "auto", "--prompt", "-", "--json", "--url", server.url];
  const { stdout } = await runCommand(args, { input: [bytes.subarray(0, 3), bytes.subarray(3)] });

  expect(JSON.parse(stdout)).toEqual(PLAN);
  expect(server.asked[0]?.body).toMatchObject({ messages: [{ content: "grüße" }] });
});

test("a whole request may come from a file, its model from the words", async () => {
  using server = answering(() => Response.json(PLAN));
  using folder = tempDir();
  await Bun.write(folder.file("body.json"), '{"model":"x","tools":[{}],"stream":true}');
  await Bun.write(folder.file("list.json"), "[1]");
  await Bun.write(folder.file("null.json"), "null");
  const run = (...more: string[]) =>
    runCommand(["explain", "auto", "--url", server.url, ...more], {
      cwd: folder.path,
      input: ['{"input":"x"}'],
    });

  expect((await run("--body", "body.json")).code).toBe(0);
  expect((await run("--body", "-")).code).toBe(0);
  expect(server.asked.map(({ body }) => body)).toEqual([
    { model: "auto", tools: [{}], stream: true },
    { model: "auto", input: "x" },
  ]);
  for (const [file, problem] of [
    ["list.json", "holds no JSON object"],
    ["null.json", "holds no JSON object"],
    ["none.json", "cannot be read"],
  ] as const) {
    const answer = await run("--body", file);
    expect([answer.code, answer.stderr]).toEqual([2, expect.stringContaining(problem)]);
  }
  const both = await run("--body", "body.json", "--prompt", "x");
  expect([both.code, both.stderr]).toEqual([2, expect.stringContaining("give one")]);
  expect(server.asked).toHaveLength(2);
});

const error = (status: number, message: string) => () =>
  Response.json({ error: { code: "x", message } }, { status });

test.each<{ what: string; answer: () => Response; says: string }>([
  {
    what: "an unknown model",
    answer: error(404, "there is no model `x`"),
    says: "veriroute explain: there is no model `x`\n",
  },
  {
    what: "a missing key",
    answer: error(401, "A key is wanted."),
    says: "veriroute explain: A key is wanted; set VERIROUTE_ADMIN_KEY to a key of the server\n",
  },
  {
    what: "something that is no router",
    answer: () => new Response("<html>"),
    says: "veriroute explain: the answer is not JSON\n",
  },
  {
    what: "another server",
    answer: () => Response.json({ object: "list", data: [] }),
    says: "veriroute explain: the answer holds no plan; is this server a veriroute?\n",
  },
])("$what ends with 1 and the reason", async ({ answer, says }) => {
  using server = answering(answer);

  expect(await runCommand(["explain", "x", "--url", server.url])).toEqual({
    code: 1,
    stdout: "",
    stderr: says,
  });
});

test("without a running server it says where it looked", async () => {
  using state = tempDir();

  const { code, stderr } = await runCommand(["explain", "auto"], {
    env: { VERIROUTE_STATE_DIR: state.path },
  });

  expect(code).toBe(1);
  expect(stderr).toContain(`no server runs on ${state.path}`);
});

test.each(["ftp://x", "localhost:8484", ""])("`--url %s` is refused", async (url) => {
  const { code } = await runCommand(["explain", "auto", `--url=${url}`]);

  expect(code).toBeGreaterThan(0);
});
