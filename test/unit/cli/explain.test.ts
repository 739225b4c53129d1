import { expect, test } from "bun:test";

import { runCommand } from "../../support/shell.ts";
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

test("the plan is shown in order, with every reason and when it lifts", async () => {
  using server = answering(() => Response.json(PLAN));

  const { code, stdout } = await runCommand(["explain", "pool:main", "--url", `${server.url}/`], {
    env: { VERIROUTE_ADMIN_KEY: "k1" },
  });

  expect(code).toBe(0);
  expect(stdout).toBe(
    [
      "`pool:main`: 1 of 2 targets eligible, in the order of `priority`",
      "  1  a:m",
      "  -  b:m  L6 cooldown (rate_limit) until 1970-01-01T00:00:00.000Z",
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

test("a prompt may come from standard input, in pieces", async () => {
  using server = answering(() => Response.json(PLAN));
  const bytes = new TextEncoder().encode("grüße");

  const args = ["explain", "auto", "--prompt", "-", "--json", "--url", server.url];
  const { stdout } = await runCommand(args, { input: [bytes.subarray(0, 3), bytes.subarray(3)] });

  expect(JSON.parse(stdout)).toEqual(PLAN);
  expect(server.asked[0]?.body).toMatchObject({ messages: [{ content: "grüße" }] });
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
