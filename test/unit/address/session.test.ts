import { expect, test } from "bun:test";

import { sessionHash } from "../../../src/address/session.ts";

const hash = (text: string) => `#${text}`;

/** Every place a session may be named, in the order that wins. */
const PLACES: {
  where: string;
  headers?: Record<string, string>;
  body?: Record<string, unknown>;
}[] = [
  { where: "block", body: { veriroute: { session: "block" } } },
  { where: "x-session-id", headers: { "x-session-id": "x-session-id" } },
  { where: "x-session-affinity", headers: { "x-session-affinity": "x-session-affinity" } },
  { where: "session_id", body: { session_id: "session_id" } },
  { where: "prompt_cache_key", body: { prompt_cache_key: "prompt_cache_key" } },
  { where: "user", body: { user: "user" } },
];

test.each(PLACES.map(({ where }, index) => ({ where, index })))(
  "$where names the session before all that come after it",
  ({ where, index }) => {
    const rest = PLACES.slice(index);
    const headers = new Headers(Object.assign({}, ...rest.map((place) => place.headers)));
    const body: Record<string, unknown> = Object.assign({}, ...rest.map((place) => place.body));

    expect(sessionHash({ headers, body }, hash)).toBe(`#${where}`);
  },
);

test.each<{ body: Record<string, unknown> }>([
  { body: {} },
  { body: { veriroute: null, user: "" } },
  { body: { veriroute: "x", user: 3 } },
  { body: { veriroute: { session: "  " }, session_id: null } },
])("a body without a usable id names no session (case %#)", ({ body }) => {
  expect(sessionHash({ headers: new Headers(), body }, hash)).toBeNull();
});
