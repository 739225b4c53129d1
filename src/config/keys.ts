import { KindGuard, OptionalKind, type TObject, type TSchema } from "@sinclair/typebox";

import type { Path } from "./problem.ts";
import { Config } from "./schema.ts";

/** One setting as the schema describes it. A `*` in a path stands for a name the file chooses. */
export interface ConfigKey {
  readonly path: Path;
  /** As it is written in its section, such as `allow.max_price`. */
  readonly key: string;
  readonly schema: TSchema;
  readonly description: string;
  /** Undefined where leaving the key out means something of its own. */
  readonly default: unknown;
  readonly required: boolean;
  /** Its value must not be shown. */
  readonly secret: boolean;
  /** Secret, or likely to have one inside (userinfo of a URL). */
  readonly sensitive: boolean;
  /** May be changed at run time, through the store. */
  readonly writable: boolean;
}

/** Every setting, in the order of the schema. */
export function configKeys(): readonly ConfigKey[] {
  return Object.entries(Config.properties).flatMap(([name, schema]) => sectionKeys(name, schema));
}

/** Names of the top-level tables. */
export function sectionNames(): readonly string[] {
  return Object.keys(Config.properties);
}

/** Top-level tables with what they are for. */
export function describedSections(): readonly { name: string; description: string }[] {
  return Object.entries(Config.properties).map(([name, { description = "" }]) => ({
    name,
    description,
  }));
}

/** The keys of a fixed section, or of each entry of a section of named tables. */
function sectionKeys(name: string, schema: TSchema): ConfigKey[] {
  if (KindGuard.IsObject(schema)) return objectKeys([name], schema);
  const entry = recordEntry(schema);
  if (entry !== undefined && KindGuard.IsObject(entry)) return objectKeys([name, "*"], entry);
  return entry === undefined ? [] : [describe([name, "*"], entry, "*")];
}

function objectKeys(parent: Path, schema: TObject): ConfigKey[] {
  return tableKeys(parent, schema, []);
}

/** The keys of a table and of the tables within; `within` leads from the section to the table. */
function tableKeys(parent: Path, { properties }: TObject, within: Path): ConfigKey[] {
  return Object.entries(properties).flatMap(([key, value]) => {
    const [path, inner] = [
      [...parent, key],
      [...within, key],
    ];
    if (KindGuard.IsObject(value)) return tableKeys(path, value, inner);
    return [describe(path, value, inner.join("."))];
  });
}

function describe(path: Path, schema: TSchema, key: string): ConfigKey {
  const secret = isSecret(schema) || isSecret(recordEntry(schema));
  return {
    path,
    key,
    schema,
    description: schema.description ?? "",
    default: schema.default,
    required: schema.default === undefined && !(OptionalKind in schema),
    secret,
    sensitive: secret || schema["expands"] !== undefined,
    writable: schema["writable"] === true,
  };
}

/** The schema of a record's values; undefined for anything else. */
export function recordEntry(schema: TSchema): TSchema | undefined {
  return KindGuard.IsRecord(schema) ? Object.values(schema.patternProperties)[0] : undefined;
}

/** The schema at a path, names and array positions included; undefined where the schema has none. */
export function schemaAt(path: Path): TSchema | undefined {
  let schema: TSchema | undefined = Config;
  for (const key of path) {
    if (schema === undefined) return undefined;
    schema = childSchema(schema, key);
  }
  return schema;
}

export function childSchema(schema: TSchema, key: string): TSchema | undefined {
  if (KindGuard.IsObject(schema)) {
    return Object.hasOwn(schema.properties, key) ? schema.properties[key] : undefined;
  }
  return KindGuard.IsArray(schema) ? schema.items : recordEntry(schema);
}

export function isSecret(schema: TSchema | undefined): boolean {
  return schema?.["secret"] === true;
}
