import { expect, test } from "bun:test";

import { ERRORS } from "../../../src/protocol/error-codes.ts";

const CHARGED = new Set(["client", "router", "target", "instance", "nobody"]);
const ROW = /^\| *`([a-z_]+)` *\| *(\d{3}) *\| *([^|]+?) *\| *([^|]+?) *\| *([^|]+?) *\|$/gm;

test("docs/errors.md gives each code its status, when it comes, who is charged and what to do", async () => {
  const text = await Bun.file("docs/errors.md").text();
  const rows = [...text.matchAll(ROW)].map(([, code = "", status, when, charged = "", remedy]) => ({
    code,
    status: Number(status),
    complete: Boolean(when && remedy) && CHARGED.has(charged),
  }));

  expect(rows.toSorted((a, b) => a.code.localeCompare(b.code))).toEqual(
    Object.entries<{ readonly status: number }>(ERRORS)
      .map(([code, { status }]) => ({ code, status, complete: true }))
      .toSorted((a, b) => a.code.localeCompare(b.code)),
  );
});
