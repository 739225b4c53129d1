import * as fc from "fast-check";

const blanks = fc
  .array(fc.constantFrom(" ", "\n", "\r", "\t"), { maxLength: 3 })
  .map((parts) => parts.join(""));

/** The same text spelled with escapes, as any encoder may. */
const escaped = (text: string): string => {
  const codes = Array.from({ length: text.length }, (_, at) => text.charCodeAt(at));
  return `"${codes.map((code) => `\\u${code.toString(16).padStart(4, "0")}`).join("")}"`;
};

const text = fc.string({ unit: "grapheme", maxLength: 8 }).map((value) => value.toWellFormed());

/** A string as JSON text, plain or in escapes. */
export const stringText = fc
  .tuple(
    fc.oneof(text, fc.constantFrom('"', "\\", '\\"', "}", "[,]", "\u2028", "🙂")),
    fc.boolean(),
  )
  .map(([value, isEscaped]) => (isEscaped ? escaped(value) : JSON.stringify(value)));

const scalarText = fc.oneof(
  stringText,
  fc.constantFrom("null", "true", "false", "0", "-0", "1.0", "1e5", "9007199254740993", "-1.50E-3"),
);

const listText = (open: string, entries: readonly string[], close: string, blank: string) =>
  `${open}${blank}${entries.join(`${blank},${blank}`)}${blank}${close}`;

const { value } = fc.letrec<{ value: string; array: string; object: string }>((tie) => ({
  value: fc.oneof({ maxDepth: 4 }, scalarText, tie("array"), tie("object")),
  array: fc
    .tuple(fc.array(tie("value"), { maxLength: 4 }), blanks)
    .map(([items, blank]) => listText("[", items, "]", blank)),
  object: fc
    .tuple(fc.array(fc.tuple(stringText, tie("value")), { maxLength: 4 }), blanks)
    .map(([members, blank]) =>
      listText(
        "{",
        members.map(([key, item]) => `${key}${blank}:${blank}${item}`),
        "}",
        blank,
      ),
    ),
}));

/** Any JSON value as text, with any blanks, escapes and number spellings. */
export const valueText = value;

/** Members of an object as texts of key and value; keys repeat, and are spelled in several ways. */
const memberTexts = fc.array(
  fc.tuple(
    fc.oneof(
      fc.constantFrom('"model"', '"\\u006dodel"', '"a"', '"stream"', '"toString"'),
      stringText,
    ),
    valueText,
  ),
  { maxLength: 6 },
);

/** An object as text, with blanks around everything; the members as given. */
export const objectText = fc.tuple(memberTexts, blanks, blanks).map(([members, blank, around]) => ({
  members,
  text: `${around}${listText(
    "{",
    members.map(([key, item]) => `${key}${blank}:${blank}${item}`),
    "}",
    blank,
  )}${around}`,
}));

export const bytesOf = (source: string) => new TextEncoder().encode(source);
export const textOf = (bytes: Uint8Array) =>
  new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
