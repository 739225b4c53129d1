import { expect, test } from "bun:test";

import {
  type AliasReach,
  type AliasResolution,
  resolveAlias,
} from "../../../src/address/aliases.ts";

const ALIASES = {
  "gpt-4o": "pool:main",
  cheap: "smaller",
  smaller: "sim:echo",
  "claude-*": "claude-sonnet-5-5",
  "claude-haiku-*": "cheap",
  "claude-opus-5-5": "claude-opus-5-5",
  "*": "pool:rest",
  ping: "pong",
  pong: "ping",
  __proto__x: "sim:echo",
};

const alias = (name: string, model: string): AliasResolution => ({
  kind: "alias",
  alias: name,
  model,
});

test.each<{ text: string; reach?: AliasReach; leads: AliasResolution }>([
  { text: "gpt-4o", leads: alias("gpt-4o", "pool:main") },
  { text: "cheap", leads: alias("cheap", "sim:echo") },
  { text: "claude-haiku-4", leads: alias("claude-haiku-*", "sim:echo") },
  { text: "claude-haiku-", leads: alias("claude-haiku-*", "sim:echo") },
  { text: "claude-x", leads: alias("claude-*", "claude-sonnet-5-5") },
  { text: "claude-sonnet-5-5", leads: alias("claude-*", "claude-sonnet-5-5") },
  { text: "claude-opus-5-5", leads: alias("claude-opus-5-5", "claude-opus-5-5") },
  { text: "anything", leads: alias("*", "pool:rest") },
  { text: "anything", reach: "prefix", leads: { kind: "none" } },
  { text: "claude-x", reach: "exact", leads: { kind: "none" } },
  { text: "gpt-4o", reach: "exact", leads: alias("gpt-4o", "pool:main") },
  { text: "ping", leads: { kind: "loop", chain: ["ping", "pong", "ping"] } },
  { text: "__proto__", reach: "exact", leads: { kind: "none" } },
  { text: "toString", reach: "exact", leads: { kind: "none" } },
])("$text leads to an end of kind $leads.kind (case %#)", ({ text, reach = "all", leads }) => {
  expect(resolveAlias(ALIASES, text, reach)).toEqual(leads);
});
