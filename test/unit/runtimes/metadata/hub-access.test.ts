import { expect, test } from "bun:test";

import { secretsFile } from "../../../../src/runtimes/bootstrap/secrets-file.ts";
import { hubAccess } from "../../../../src/runtimes/metadata/hub-access.ts";

const fetch = () => Promise.reject(new Error("nobody is asked"));

function accessWith(given: { readonly hf_token?: string; readonly HF_TOKEN?: string }) {
  const { hf_token = null, HF_TOKEN } = given;
  return hubAccess({ env: { HF_TOKEN }, hf_token, fetch, version: "1.0.0" });
}

test.each([
  { what: "a token", given: { HF_TOKEN: "hf_abc" }, token: "hf_abc" },
  {
    what: "one from a file with a line break at its end",
    given: { HF_TOKEN: "hf_abc\n" },
    token: "hf_abc",
  },
  { what: "one with blanks around it", given: { hf_token: " hf_abc\r\n" }, token: "hf_abc" },
  {
    what: "the config's before the environment's",
    given: { hf_token: "a", HF_TOKEN: "b" },
    token: "a",
  },
  { what: "none", given: {}, token: null },
  { what: "an empty one", given: { HF_TOKEN: "" }, token: null },
  { what: "nothing but a line break", given: { HF_TOKEN: "\n" }, token: null },
])("$what is taken for what it is, and can be handed to a machine", ({ given, token }) => {
  const access = accessWith(given);

  expect(access).toMatchObject({ ok: true, hub: { token } });
  expect(secretsFile({ HF_TOKEN: token ?? "" })).toBe(`HF_TOKEN=${token ?? ""}\n`);
});

test.each([
  { what: "two lines", given: { HF_TOKEN: "hf_abc\nhf_def" }, where: "`HF_TOKEN`" },
  { what: "a blank inside", given: { hf_token: "hf_abc def" }, where: "`runtimes.hf_token`" },
  { what: "a NUL", given: { HF_TOKEN: "hf_\0abc" }, where: "`HF_TOKEN`" },
  { what: "a letter of no header", given: { HF_TOKEN: "hf_äbc" }, where: "`HF_TOKEN`" },
])("a token with $what is refused before anything is asked or rented, and not repeated", (row) => {
  const access = accessWith(row.given);

  expect(access).toEqual({
    ok: false,
    problem: `${row.where} holds more than a token: there are blanks, line breaks or characters inside it that no token has; set it to the token alone`,
  });
});
