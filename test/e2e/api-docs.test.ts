import { afterAll, expect, test } from "bun:test";

import { apiDocs } from "../../scripts/api-docs.ts";
import { startApi } from "../support/api-server.ts";

const api = await startApi();
afterAll(() => api[Symbol.asyncDispose]());

test("docs/api.md is what `bun scripts/api-docs.ts` writes", async () => {
  const document = await (await api.call("/swagger/json")).json();

  expect(await Bun.file("docs/api.md").text()).toBe(apiDocs(document));
});

test("docs/api.md names every route of the document, and none twice", async () => {
  const { paths }: { paths: Record<string, object> } = JSON.parse(
    await (await api.call("/swagger/json")).text(),
  );
  const wanted = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
  const text = await Bun.file("docs/api.md").text();
  const named = [...text.matchAll(/^(?:GET|POST|PUT|PATCH|DELETE) \S+/gm)].map(([route]) => route);

  expect(named.toSorted()).toEqual(wanted.toSorted());
});
