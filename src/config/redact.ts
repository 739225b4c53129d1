import { KindGuard, type TSchema } from "@sinclair/typebox";

import { childSchema, isSecret, schemaAt } from "./keys.ts";
import type { Path } from "./problem.ts";
import { Config } from "./schema.ts";
import { isTable } from "./tree.ts";

/** A value from the config as it may be shown: secrets only as `set`, URLs without user and password. */
export function redactAt(path: Path, value: unknown): unknown {
  const schema = schemaAt(path);
  return schema === undefined ? undefined : redact(schema, value);
}

/**
 * The whole config as it may be shown. Every secret a table could hold is listed, as `set` or `unset`.
 */
export function redactConfig(config: Config): unknown {
  return redact(Config, config);
}

function redact(schema: TSchema, value: unknown): unknown {
  if (isSecret(schema)) return value === undefined ? "unset" : "set";
  if (isTable(value)) return redactTable(schema, value);
  return typeof value === "string" ? withoutUserinfo(value) : value;
}

function redactTable(schema: TSchema, table: Readonly<Record<string, unknown>>): unknown {
  const names = KindGuard.IsObject(schema) ? Object.keys(schema.properties) : Object.keys(table);
  const shown = names.flatMap((name): [string, unknown][] => {
    const inner = childSchema(schema, name);
    if (inner === undefined) return [];
    const redacted = redact(inner, table[name]);
    return redacted === undefined ? [] : [[name, redacted]];
  });
  return Object.fromEntries(shown);
}

function withoutUserinfo(text: string): string {
  return text.replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/?#]*@/i, "$1");
}
