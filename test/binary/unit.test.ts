import { expect } from "bun:test";
import { mkdirSync } from "node:fs";

import { runBinary } from "../support/binary.ts";
import { testWith } from "../support/skip.ts";
import { tempDir } from "../support/temp-dir.ts";

for (const { args, flags } of [
  { args: ["--systemd"], flags: [] },
  { args: ["--systemd", "--user"], flags: ["--user"] },
]) {
  testWith("systemd-analyze")(
    `systemd accepts the unit that \`init ${args.join(" ")}\` prints`,
    async () => {
      using place = tempDir();
      const { code, stdout } = await runBinary(["init", ...args], {
        env: { HOME: place.path },
        cwd: place.path,
      });
      expect(code).toBe(0);
      mkdirSync(place.file("units"));
      const file = place.file("units/veriroute.service");
      await Bun.write(file, stdout);

      const verify = Bun.spawn(["systemd-analyze", ...flags, "verify", file], {
        env: { PATH: process.env["PATH"] ?? "", HOME: place.path, XDG_RUNTIME_DIR: place.path },
        stdout: "pipe",
        stderr: "pipe",
      });

      const said = (await verify.stdout.text()) + (await verify.stderr.text());
      expect({ said, code: await verify.exited }).toEqual({ said: "", code: 0 });
    },
    30_000,
  );
}
