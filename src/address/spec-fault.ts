/** Why a text is no spec string. Stable: `veriroute inspect spec` prints it as `error`. */
export type SpecErrorCode =
  | "too_long"
  | "empty"
  | "control_char"
  | "bad_unicode"
  | "no_provider"
  | "bad_provider"
  | "reserved_prefix"
  | "empty_model"
  | "bad_model"
  | "bad_percent_encoding"
  | "empty_param"
  | "empty_param_name"
  | "bad_param_name"
  | "param_without_value"
  | "duplicate_param"
  | "duplicate_query"
  | "empty_instance"
  | "bad_instance"
  | "duplicate_instance";

export interface SpecFault {
  readonly ok: false;
  readonly error: SpecErrorCode;
  /** What is wrong, where, and how to write it instead. */
  readonly message: string;
}

/** A part that was read, or why it could not be. */
export type Reading<T> = { readonly ok: true; readonly value: T } | SpecFault;

export function fault(error: SpecErrorCode, message: string): SpecFault {
  return { ok: false, error, message };
}

export function read<T>(value: T): Reading<T> {
  return { ok: true, value };
}

const MAX_QUOTED = 80;

/** `text` in backticks for a message: cut, and without control characters that could forge a log line. */
export function quote(text: string): string {
  const cut = text.length > MAX_QUOTED ? `${text.slice(0, MAX_QUOTED).toWellFormed()}…` : text;
  return `\`${cut.toWellFormed().replaceAll(/[\p{Cc}\u2028\u2029]/gu, escapeCharacter)}\``;
}

function escapeCharacter(character: string): string {
  return `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, "0")}`;
}

export const MAX_SPEC_LENGTH = 2048;

/** The fault that makes any model string unusable, whatever its grammar; undefined if there is none. */
export function textFault(text: string): SpecFault | undefined {
  if (text.length > MAX_SPEC_LENGTH) {
    return fault(
      "too_long",
      `the model string has ${text.length} characters; at most ${MAX_SPEC_LENGTH} are read`,
    );
  }
  const control = text.search(/\p{Cc}/u);
  if (control !== -1) {
    return fault(
      "control_char",
      `${quote(text)} has a control character at position ${control + 1}; remove it, or percent-encode it in a parameter`,
    );
  }
  if (!text.isWellFormed()) {
    return fault(
      "bad_unicode",
      `${quote(text)} is not valid Unicode (a lone surrogate); retype it`,
    );
  }
  return undefined;
}

/** Undoes percent-encoding; a stray `%` or bytes that are no UTF-8 are a fault of `where`. */
export function decodePercent(text: string, where: string): Reading<string> {
  try {
    return read(decodeURIComponent(text));
  } catch {
    return fault(
      "bad_percent_encoding",
      `${quote(text)} in the ${where} is not percent-encoded UTF-8; write a literal \`%\` as \`%25\``,
    );
  }
}
