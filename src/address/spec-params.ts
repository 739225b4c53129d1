import { decodePercent, fault, quote, read, type Reading } from "./spec-fault.ts";
import type { Params, ParamValue } from "./target.ts";

/** The one parameter that may be given more than once, and whose values are always text. */
const LIST_PARAM = "stop";

const PARAM_NAME = /^[A-Za-z][A-Za-z0-9_.-]{0,63}$/;
/** Names that mean something else on every JavaScript object. */
const UNSAFE_NAMES = new Set(["constructor", "prototype"]);

const DECIMAL = /^-?(0|[1-9]\d*)(\.\d+)?$/;

/** Reads `k=v&k=v` without its `?`; an empty query is no parameters. */
export function parseParams(query: string): Reading<Params> {
  const params = new Map<string, ParamValue>();
  if (query === "") return read({});
  for (const pair of query.split("&")) {
    const parsed = parsePair(pair);
    if (!parsed.ok) return parsed;
    const { name, text } = parsed.value;
    const earlier = params.get(name);
    if (earlier === undefined) params.set(name, name === LIST_PARAM ? text : paramValue(text));
    else if (name === LIST_PARAM) params.set(name, [...listOf(earlier), text]);
    else {
      return fault(
        "duplicate_param",
        `parameter ${quote(name)} is given twice; only \`stop\` may be a list`,
      );
    }
  }
  return read(Object.fromEntries(params));
}

function listOf(value: ParamValue): readonly string[] {
  return typeof value === "object" && value !== null ? value : [String(value)];
}

function parsePair(pair: string): Reading<{ name: string; text: string }> {
  if (pair === "") {
    return fault("empty_param", "there is an empty parameter; remove the spare `&`");
  }
  const equals = pair.indexOf("=");
  if (equals === 0) {
    return fault("empty_param_name", `parameter ${quote(pair)} has no name before its \`=\``);
  }
  if (equals === -1) {
    return fault(
      "param_without_value",
      `parameter ${quote(pair)} has no value; write ${quote(`${pair}=true`)} or another value`,
    );
  }
  const name = decodePercent(pair.slice(0, equals), "parameter name");
  if (!name.ok) return name;
  if (!PARAM_NAME.test(name.value) || UNSAFE_NAMES.has(name.value)) {
    return fault(
      "bad_param_name",
      `${quote(name.value)} cannot name a parameter; names are a letter, then letters, digits, \`_\`, \`.\` or \`-\``,
    );
  }
  const text = decodePercent(pair.slice(equals + 1).replaceAll("+", " "), "parameters");
  return text.ok ? read({ name: name.value, text: text.value }) : text;
}

/**
 * Only what has one obvious reading becomes a number or a keyword: `007`, `1e3`, `1_000`, `yes` and
 * integers a double cannot hold stay text.
 */
function paramValue(text: string): ParamValue {
  if (text === "true") return true;
  if (text === "false") return false;
  if (text === "null") return null;
  if (!DECIMAL.test(text)) return text;
  const number = Number(text);
  const printed = String(number);
  const exact = Number.isInteger(number) ? Number.isSafeInteger(number) : DECIMAL.test(printed);
  // Adding zero turns -0, which prints as `0`, into 0.
  return exact ? number + 0 : text;
}

/** `?k=v&k=v` with sorted names, or nothing. */
export function printParams(params: Params): string {
  const pairs = Object.keys(params)
    .toSorted()
    .flatMap((name) => listOfPrinted(params[name]).map((text) => `${name}=${text}`));
  return pairs.length === 0 ? "" : `?${pairs.join("&")}`;
}

function listOfPrinted(value: ParamValue | undefined): string[] {
  if (value === undefined) return [];
  const texts = typeof value === "object" && value !== null ? value : [String(value)];
  return texts.map(encodeParam);
}

/** Encodes only what the grammar would read as something else, so that specs stay readable. */
function encodeParam(text: string): string {
  return text.replaceAll(/[%&#?+\s\p{Cc}]/gu, (character) => encodeURIComponent(character));
}
