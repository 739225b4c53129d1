/** What is refused before anything is spent, each time with its fix. */
import { expect, test } from "bun:test";
import { chmodSync, existsSync, rmSync, symlinkSync, writeFileSync } from "node:fs";

import { runBinary } from "../support/binary.ts";
import { fakeHub } from "../support/hub.ts";
import { type Rented, rented, REPO, UP } from "../support/rented.ts";

const LIMIT_MS = 60_000;

const rentals = (made: Rented) => made.colab.calls().filter(({ args }) => args.includes("new"));

interface Row {
  readonly what: string;
  readonly args: readonly string[];
  readonly says: string;
  readonly code?: number;
  readonly prepare?: (made: Rented) => void;
}

test.concurrent.each<Row>([
  {
    what: "an unknown GPU",
    args: ["up", REPO, "--yes", "--gpu", "A10"],
    says: "`--gpu A10` is no GPU that Colab rents; those are T4, L4, G4, H100, A100",
    code: 2,
  },
  {
    what: "a name with a slash",
    args: ["up", REPO, "--yes", "--name", "a/b"],
    says: "`a/b` is no name for a runtime: use 1 to 39 of a-z, 0-9 and `-`",
  },
  {
    what: "a model that fits no GPU",
    args: ["up", "org/giant-900B", "--yes"],
    says: "it fits no GPU that was asked for; ",
  },
  { what: "no yes", args: ["up", REPO, "--name", "gpu"], says: "add `--yes` to go ahead" },
  {
    what: "a model of this machine",
    args: ["up", "./config.json", "--yes"],
    says: "config.json",
  },
  {
    what: "the subsystem switched off",
    args: UP,
    says: "set `enabled = true` under `[runtimes]`",
    prepare: (made) => writeFileSync(`${made.dir.path}/veriroute.toml`, ""),
  },
  {
    what: "nobody who would watch",
    args: UP,
    says: "`runtimes.liveness` is 0, so nobody would watch the runtime; set it to a duration",
    prepare: (made) => made.configure('liveness = "0s"'),
  },
  {
    what: "a limit that cannot be kept",
    args: [...UP, "--gpu", "H100"],
    says: "set `runtimes.rates.H100` or choose another GPU",
    prepare: (made) => made.configure("max_compute_units = 5"),
  },
])(
  "$what: nothing is rented",
  async ({ args, says, code = 1, prepare }) => {
    await using made = await rented();
    prepare?.(made);
    await using server = await made.serve();

    const result = await made.run(...args);

    expect(result.stderr).toContain(says);
    expect(result.code).toBe(code);
    expect([made.colab.calls(), made.lease("gpu")]).toEqual([[], null]);
    server.signal("SIGKILL");
  },
  LIMIT_MS,
);

test.concurrent(
  "no server and no --foreground: nobody would keep the deadlines",
  async () => {
    await using made = await rented();

    const result = await made.run(...UP);

    expect(result.stderr).toContain("start `veriroute serve`, or add `--foreground`");
    expect([result.code, made.colab.calls()]).toEqual([1, []]);
  },
  LIMIT_MS,
);

test.concurrent(
  "a gated model without a token",
  async () => {
    await using made = await rented();
    const model = {
      id: "org/gated-1B",
      gated: "manual",
      safetensors: { parameters: { BF16: 1e9 } },
    };
    using hub = fakeHub({ "/api/models/org/gated-1B?blobs=true": () => Response.json(model) });
    const { HF_TOKEN: _token, ...env } = made.options.env;
    const options = { ...made.options, env: { ...env, HF_ENDPOINT: hub.url } };
    const args = ["runtimes", "up", "org/gated-1B", "--yes", "--foreground"];

    const result = await runBinary(args, options);

    expect(result.stderr).toContain("the model is gated: accept its licence on huggingface.co");
    expect([result.code, made.colab.calls()]).toEqual([1, []]);
  },
  LIMIT_MS,
);

test.concurrent.each<{ what: string; fault: (made: Rented) => void; says: string }>([
  {
    what: "colab is not installed",
    fault: (made) => rmSync(made.colab.program),
    says: "`pip install google-colab-cli`",
  },
  {
    what: "colab is too old",
    fault: (made) => made.colab.setFaults({ version: "0.6.0" }),
    says: "`pip install --upgrade google-colab-cli`",
  },
  {
    what: "colab is another program",
    fault: (made) => made.colab.setFaults({ version: "other" }),
    says: "set `runtimes.colab.command` to its path",
  },
  {
    what: "nobody is logged in",
    fault: (made) => made.colab.setFaults({ auth: "oauth-prompt" }),
    says: "run `colab sessions` in a terminal",
  },
  {
    what: "what the account has cannot be told",
    fault: (made) => made.colab.setFaults({ sessions: "badenum" }),
    says: "nothing is rented while it cannot be told what the account has",
  },
  {
    what: "the leases' directory is a file",
    fault: (made) => writeFileSync(`${made.state_dir}/runtimes`, ""),
    says: "runtimes",
  },
  {
    what: "the disk takes no lease",
    fault: (made) => symlinkSync("/dev/full", `${made.state_dir}/colab`),
    says: "colab",
  },
])(
  "$what: nothing is rented, and the message says what to do",
  async ({ fault, says }) => {
    await using made = await rented();
    await using server = await made.serve();
    fault(made);

    const result = await made.run(...UP);

    expect(result.code).toBe(1);
    expect(result.stderr).toContain(says);
    expect(rentals(made)).toEqual([]);
    expect(made.lease("gpu")).toBeNull();
    server.signal("SIGKILL");
  },
  LIMIT_MS,
);

test.concurrent.each<{ what: string; version: string; status: string; fix: string | null }>([
  { what: "right", version: "0.7.5", status: "ok", fix: null },
  {
    what: "too old",
    version: "0.6.0",
    status: "fail",
    fix: "`pip install --upgrade google-colab-cli`",
  },
  {
    what: "another program",
    version: "other",
    status: "fail",
    fix: "set `runtimes.colab.command` to its path",
  },
])(
  "doctor says of a colab that is $what: $status",
  async ({ version, status, fix }) => {
    await using made = await rented();
    made.colab.setFaults({ version });

    const result = await runBinary(["doctor", "--json"], made.options);

    const { checks } = JSON.parse(result.stdout);
    expect(checks).toContainEqual(expect.objectContaining({ name: "colab", status, fix }));
    expect(checks).toContainEqual(expect.objectContaining({ name: "ssh", status: "ok" }));
  },
  LIMIT_MS,
);

test.concurrent(
  "T14: the same name twice: one of them gets it",
  async () => {
    await using made = await rented();
    await using server = await made.serve();

    const both = await Promise.all([made.run(...UP), made.run(...UP)]);

    expect(new Set(both.map(({ code }) => code))).toEqual(new Set([0, 1]));
    expect(made.colab.billing()).toHaveLength(1);
    server.signal("SIGKILL");
  },
  LIMIT_MS,
);

test.concurrent(
  "T17: a lease that cannot be read is listed, blocks its name, and is not touched",
  async () => {
    await using made = await rented();
    await using server = await made.serve();
    await made.run("status");
    const file = `${made.state_dir}/runtimes/gpu.json`;
    await Bun.write(file, '{"name":"gpu","phase":');
    chmodSync(file, 0o600);

    const [status, up, down] = [
      await made.run("status"),
      await made.run(...UP),
      await made.run("down", "gpu"),
    ];

    const notice =
      "MAY STILL BE BILLING gpu: its lease is unreadable; look at Manage sessions in Colab";
    expect(status.stdout).toContain(notice);
    expect([up.code, down.code]).toEqual([1, 1]);
    expect(down.stderr).toContain("release it under Manage sessions in Colab");
    expect(await Bun.file(file).text()).toBe('{"name":"gpu","phase":');
    expect(rentals(made)).toEqual([]);
    server.signal("SIGKILL");
  },
  LIMIT_MS,
);

test.concurrent(
  "T22, T25: while it is off nothing of it runs, whatever is asked",
  async () => {
    await using made = await rented();
    writeFileSync(`${made.dir.path}/veriroute.toml`, "");
    await using server = await made.serve();

    const results = [
      await made.run("estimate", REPO),
      await made.run("status"),
      await made.run("cache"),
      await made.run("bake", REPO),
      await made.run("down", "gpu"),
    ];

    expect(results.map(({ code }) => code)).toEqual([0, 0, 0, 1, 1]);
    expect(made.colab.calls()).toEqual([]);
    expect(existsSync(`${made.state_dir}/runtimes`)).toBe(false);
    expect(existsSync(`${made.state_dir}/colab`)).toBe(false);
    expect(server.stderr()).not.toContain('"command"');
  },
  LIMIT_MS,
);
