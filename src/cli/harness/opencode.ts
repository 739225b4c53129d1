import { existsSync } from "node:fs";
import { join } from "node:path";

import { applyEdits, modify, parse, type ParseError } from "jsonc-parser";

import { isObject, objectOf } from "../../protocol/openai/fields.ts";
import type { Changed, Harness } from "./harness.ts";
import { KEY_VARIABLE } from "./harness.ts";
import { userConfigDirectory } from "./places.ts";
import type { RouterFacts } from "./router-facts.ts";

const SCHEMA = "https://opencode.ai/config.json";
const FORMAT = { formattingOptions: { insertSpaces: true, tabSize: 2, eol: "\n" } };

export const opencode: Harness = {
  id: "opencode",
  title: "opencode",
  snippet: (facts) => JSON.stringify({ $schema: SCHEMA, provider: entry(facts) }, null, 2),
  start: (model) => `opencode run -m veriroute/${model} "Say hello"`,
  file: {
    path(env) {
      const directory = userConfigDirectory(env);
      if (directory === null) return null;
      const [first = "", ...others] = ["opencode.json", "opencode.jsonc", "config.json"].map(
        (name) => join(directory, "opencode", name),
      );
      return [first, ...others].find((path) => existsSync(path)) ?? first;
    },
    add(before, facts) {
      const text = before ?? `{\n  "$schema": "${SCHEMA}"\n}\n`;
      return edited(text, [["provider", "veriroute"], entry(facts).veriroute]);
    },
    remove(before, first) {
      const removed = edited(before, [["provider", "veriroute"], undefined]);
      if (!removed.ok || removed.after === null) return removed;
      const left = parseObject(removed.after);
      if (first !== null && Bun.deepEquals(left, parseObject(first))) {
        return { ok: true, after: first };
      }
      const isOurs = Object.keys(left).every((key) => OURS.has(key));
      const isEmpty = Object.keys(objectOf(left["provider"])).length === 0;
      return isOurs && isEmpty && first === null ? { ok: true, after: null } : removed;
    },
  },
};

const parseObject = (text: string) => objectOf(parse(text));

const OURS = new Set(["$schema", "provider"]);

function entry({ url, needs_key, models }: RouterFacts) {
  const options = {
    baseURL: `${url}/v1`,
    ...(needs_key && { apiKey: `{env:${KEY_VARIABLE}}` }),
  };
  const named = models.map((model) => [model, { name: model }]);
  return {
    veriroute: {
      npm: "@ai-sdk/openai-compatible",
      name: "veriroute",
      options,
      models: Object.fromEntries(named),
    },
  };
}

/** Comments and all else of the file stay as they are. */
function edited(text: string, [path, value]: readonly [string[], unknown]): Changed {
  const errors: ParseError[] = [];
  const parsed: unknown = parse(text, errors, { allowTrailingComma: true });
  const [first] = errors;
  if (first) return { ok: false, problem: `is no JSON: an error at character ${first.offset}` };
  if (!isObject(parsed)) return { ok: false, problem: "holds no JSON object" };
  return { ok: true, after: applyEdits(text, modify(text, path, value, FORMAT)) };
}
