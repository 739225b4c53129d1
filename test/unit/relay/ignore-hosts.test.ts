import { expect, test } from "bun:test";

import { ignoreHosts, type ShutHosts } from "../../../src/relay/ignore-hosts.ts";

const bytes = (text: string) => new Uint8Array(new TextEncoder().encode(text));
const told = (body: string, hosts: Partial<ShutHosts>) =>
  new TextDecoder().decode(ignoreHosts(bytes(body), { excluded: [], suspended: [], ...hosts }));

test.each<{ name: string; body: string; hosts: Partial<ShutHosts>; sent: string }>([
  {
    name: "nothing shut leaves the bytes alone",
    body: '{ "model" : "m" }',
    hosts: {},
    sent: '{ "model" : "m" }',
  },
  {
    name: "a body without preferences gets them",
    body: '{"model":"m"}',
    hosts: { suspended: ["b"], excluded: ["a"] },
    sent: '{"provider":{"ignore":["a","b"]},"model":"m"}',
  },
  {
    name: "what the caller ignores stays, sorted in and once",
    body: '{"provider":{"ignore":["c","a"], "sort":"price","max_price":{"prompt":1.0}},"n":1.0}',
    hosts: { suspended: ["b", "a"] },
    sent: '{"provider":{"ignore":["a","b","c"], "sort":"price","max_price":{"prompt":1.0}},"n":1.0}',
  },
  {
    name: "what the caller ignores already changes nothing",
    body: '{"provider":{"ignore":["b", "a"]}}',
    hosts: { suspended: ["a"] },
    sent: '{"provider":{"ignore":["b", "a"]}}',
  },
  {
    name: "a suspended host that the caller names serves, an excluded one does not",
    body: '{"provider":{"only":["a","b"]}}',
    hosts: { suspended: ["a/fp8"], excluded: ["b"] },
    sent: '{"provider":{"ignore":["b"],"only":["a","b"]}}',
  },
  {
    name: "an order without fallbacks names hosts, too",
    body: '{"provider":{"order":["a"],"allow_fallbacks":false}}',
    hosts: { suspended: ["a"] },
    sent: '{"provider":{"order":["a"],"allow_fallbacks":false}}',
  },
  {
    name: "an order with fallbacks names nobody",
    body: '{"provider":{"order":["a"]}}',
    hosts: { suspended: ["a"] },
    sent: '{"provider":{"ignore":["a"],"order":["a"]}}',
  },
  {
    name: "null is as good as nothing",
    body: '{"provider":null}',
    hosts: { excluded: ["a"] },
    sent: '{"provider":{"ignore":["a"]}}',
  },
  {
    name: "what is no object is the gateway's to refuse",
    body: '{"provider":"a"}',
    hosts: { excluded: ["b"] },
    sent: '{"provider":"a"}',
  },
])("$name", ({ body, hosts, sent }) => {
  expect(told(body, hosts)).toBe(sent);
});
