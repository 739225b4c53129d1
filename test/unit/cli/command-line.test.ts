import { expect, test } from "bun:test";

import { COMMANDS } from "../../../src/cli/commands.ts";
import { runCommand } from "../../support/shell.ts";

test.each(COMMANDS.map(({ name }) => name))(
  "`%s --help` shows its usage and options",
  async (name) => {
    const { code, stdout, stderr } = await runCommand([name, "--help"]);

    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toContain(`Usage: veriroute ${name}`);
    expect(stdout).toContain("-h, --help");
    expect(await runCommand(["help", name])).toEqual({ code, stdout, stderr });
  },
);

test("the overview lists every command", async () => {
  const { code, stdout } = await runCommand(["--help"]);

  expect(code).toBe(0);
  for (const { name, summary } of COMMANDS) {
    expect(stdout).toMatch(
      new RegExp(`^  ${name} +${summary.replaceAll(/[.()?*`]/g, "\\$&")}$`, "m"),
    );
  }
});

test.each<{ args: string[]; problem: string }>([
  { args: ["chekc"], problem: "veriroute: unknown command `chekc`; did you mean `check`?" },
  { args: ["qqqqqqqq"], problem: "veriroute: unknown command `qqqqqqqq`" },
  { args: ["help", "serv"], problem: "veriroute: unknown command `serv`; did you mean `serve`?" },
  {
    args: ["check", "--jsn"],
    problem: "veriroute check: unknown option `--jsn`; did you mean `--json`?",
  },
  {
    args: ["--prot", "1"],
    problem: "veriroute serve: unknown option `--prot`; did you mean `--port`?",
  },
  { args: ["check", "-x"], problem: "veriroute check: unknown option `-x`" },
  { args: ["check", "--__proto__"], problem: "veriroute check: unknown option `--__proto__`" },
  { args: ["check", "--json=yes"], problem: "veriroute check: `--json` takes no value" },
  {
    args: ["check", "--config"],
    problem: "veriroute check: `--config` needs a value: --config FILE",
  },
  { args: ["check", "-c", "--json"], problem: "veriroute check: `-c` needs a value: -c FILE" },
  { args: ["check", "--config="], problem: "veriroute check: `--config` is empty" },
  { args: ["check", "a", "b"], problem: "veriroute check: unexpected argument `b`" },
  { args: ["version", "now"], problem: "veriroute version: unexpected argument `now`" },
  {
    args: ["inspect"],
    problem: "veriroute inspect: say what to do: `error`, `output`, `language`, `spec`",
  },
  {
    args: ["inspect", "spce"],
    problem: "veriroute inspect: unknown action `spce`; did you mean `spec`?",
  },
  {
    args: ["keys", "crate"],
    problem: "veriroute keys: unknown action `crate`; did you mean `create`?",
  },
  {
    args: ["keys", "create"],
    problem: "veriroute keys: say what the key may do: `--scope client` or `--scope admin`",
  },
  {
    args: ["keys", "create", "--scope", "root"],
    problem: "veriroute keys: say what the key may do: `--scope client` or `--scope admin`",
  },
  { args: ["keys", "revoke"], problem: "veriroute keys: say which key: veriroute keys revoke ID" },
  { args: ["keys", "list", "all"], problem: "veriroute keys: unexpected argument `all`" },
  { args: ["backup"], problem: "veriroute backup: name the file to write" },
  { args: ["explain"], problem: "veriroute explain: name a model, pool or target, such as `auto`" },
  { args: ["init", "--user"], problem: "veriroute init: `--user` goes with `--systemd`" },
  {
    args: ["init", "--systemd", "--force"],
    problem: "veriroute init: `--systemd` writes no file: leave `--force` out",
  },
  {
    args: ["init", "--systemd", "--config", "x"],
    problem: "veriroute init: `--systemd` writes no config: leave `--config` out",
  },
  { args: ["--port", "http"], problem: "veriroute serve: `http` is no port: 0 to 65535" },
  { args: ["serve", "-p", "65536"], problem: "veriroute serve: `65536` is no port: 0 to 65535" },
  {
    args: ["keys", "list", "--scope", "admin"],
    problem: "veriroute keys: `--scope` goes with `create`",
  },
  {
    args: ["keys", "revoke", "x", "--name", "n"],
    problem: "veriroute keys: `--name` goes with `create`",
  },
  { args: ["backup", ""], problem: "veriroute backup: name the file to write" },
  { args: ["check", ""], problem: "veriroute check: the name of the file is empty" },
  {
    args: ["check", "a", "--config", "b"],
    problem: "veriroute check: name one file: as FILE or with `--config`",
  },
  {
    args: ["explain", "auto", "--url", "localhost:8484"],
    problem: "veriroute explain: `localhost:8484` is no http or https URL",
  },
])("$args is wrong usage and says so", async ({ args, problem }) => {
  const { code, stdout, stderr } = await runCommand(args);

  expect({ code, stdout, first: stderr.split("\n")[0] }).toEqual({
    code: 2,
    stdout: "",
    first: problem,
  });
});

test.each([
  "version",
  "--version",
  "-V",
  ...COMMANDS.map(({ name }) => `${name} --version`),
  "keys create -V",
])("`%s` prints one line", async (words) => {
  const { code, stdout } = await runCommand(words.split(" "));

  expect(code).toBe(0);
  expect(stdout).toMatch(/^veriroute \d+\.\d+\.\d+\S*\n$/);
});
