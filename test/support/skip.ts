import { test } from "bun:test";

/** Outside tools that some tests need, and how a Debian machine gets them. */
const TOOLS = {
  chromium: "apt-get install chromium",
  curl: "apt-get install curl",
  python3: "apt-get install python3",
  ssh: "apt-get install openssh-client",
  sshd: "apt-get install openssh-server",
  "systemd-analyze": "apt-get install systemd",
  wrk: "apt-get install wrk",
} as const;

export type Tool = keyof typeof TOOLS;

export type RunTest = (
  name: string,
  run: () => void | Promise<unknown>,
  timeout_ms?: number,
) => void;

/** Daemons lie where the search path of a plain user does not lead. */
const isThere = (tool: Tool) =>
  Bun.which(tool, { PATH: `${process.env["PATH"] ?? ""}:/usr/sbin:/sbin` }) !== null;

/**
 * `runTest` where the tool is there. Where it is not, says how to install it and skips, or fails if
 * `VERIROUTE_REQUIRE_ALL=1` wants every test run.
 */
export function testWith(tool: Tool, runTest: RunTest = test): RunTest {
  if (isThere(tool)) {
    return (name, run, timeout_ms) => {
      runTest(name, run, timeout_ms);
    };
  }
  const missing = `skip: ${tool}: ${TOOLS[tool]}`;
  if (process.env["VERIROUTE_REQUIRE_ALL"] === "1") {
    return (name) => {
      test(name, () => {
        throw new Error(missing);
      });
    };
  }
  process.stdout.write(`${missing}\n`);
  return (name, run) => {
    test.skip(name, run);
  };
}
