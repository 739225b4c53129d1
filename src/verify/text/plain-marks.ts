/** What a text shows outside of code. */
export interface PlainMarks {
  /** A token of a chat template, such as `<|im_end|>`. */
  readonly has_template_token: boolean;
  /** Such a token within a sentence or in quotes: named rather than leaked. */
  readonly names_template_token: boolean;
  /** `</s>` at the end of the text or of a line, where no `<s>` makes it HTML. */
  readonly has_end_token: boolean;
  /** `<think>`. */
  readonly opens_reasoning: boolean;
  /** `</think>` that nothing opened. */
  readonly has_orphan_reasoning: boolean;
  /** Such a tag within a sentence, named rather than leaked. */
  readonly names_orphan_reasoning: boolean;
  /** A mark that models write tool calls with. */
  readonly has_tool_mark: boolean;
  /** Two or more byte tokens such as `<0xF0>` side by side. */
  readonly has_byte_tokens: boolean;
  /** Tokenizer marks for a space (`Ġ`, `▁`) directly before a letter or digit. */
  readonly space_marks: number;
  readonly replacement: number;
  readonly has_non_ascii: boolean;
}

/** Code cuts a text into crumbs; so many units are read at a time. */
const PIECE = 2_048;
/** Longer than any mark; so much of the text is read again with the next piece. */
const OVERLAP = 96;
/** What a mark needs to know of the text behind it, and before it. */
const LOOKAHEAD = 4;
const LOOKBEHIND = 8;

/** Every mark begins with one of two characters, which makes looking for them quick. */
const MARKS = new RegExp(
  `<(?:${[
    String.raw`(?<tool>tool_calls?>|function=|function_calls?>|invoke name=|\|(?:tool_call|python_tag)\w{0,20}\|>|｜tool[^｜\n]{1,30}｜>)`,
    String.raw`(?<template>\|[A-Za-z][\w./-]{0,40}\|>|｜[^｜\n]{1,40}｜>|</?SYS>>|(?:start|end)_of_turn>)`,
    "(?<close>/think(?:ing)?>)",
    "(?<open>think(?:ing)?>)",
    String.raw`(?<bytes>0x[0-9A-Fa-f]{2}><0x[0-9A-Fa-f]{2}>)`,
    "(?<strike>s>)",
  ].join(
    "|",
  )})|${String.raw`\[(?:(?<inst>/?INST\])|(?<toolList>TOOL_CALLS\])|(?<think>THINK\])|(?<unthink>/THINK\]))`}`,
  "g",
);

/** Within a sentence: between blanks, behind a word and before one. */
const NAMED_BEFORE = /[\p{L}\p{N},:] ["'“(]?$/u;
const NAMED_AFTER = /^["'”)]?[ ,.;:]{1,2}\(?\p{Ll}/u;
/** No sentence ends behind these words: where a line does, it was wrapped. */
const AWAITED_BEFORE = /(?:^|[\s(])(?:an?|the|and|or|of|with|by|like) ["'“(]?$/i;
const AWAITED_AFTER = /^["'”)]?\s/;
/** The mark alone in quotes. */
const QUOTED_BEFORE = /["'“‘]$/;
const QUOTED_AFTER = /^["'”’]/;

const SPACE_MARK = /[Ġ▁](?=[\p{L}\p{N}])/gu;
const NON_ASCII = /[^\0-\x7F]/;

type Groups = Readonly<Record<string, string | undefined>>;

const NOTHING = {
  has_template_token: false,
  names_template_token: false,
  opens_reasoning: false,
  has_orphan_reasoning: false,
  names_orphan_reasoning: false,
  has_tool_mark: false,
  has_byte_tokens: false,
};
const NO_MARKS: PlainMarks = {
  ...NOTHING,
  has_end_token: false,
  space_marks: 0,
  replacement: 0,
  has_non_ascii: false,
};

/** Looks for marks in a text without code, given in pieces of any size. */
export class PlainScan {
  /** Neither what was pushed nor the code beside it has more than ASCII; to be set before a push. */
  isAscii = true;
  /** Null until a character comes that a mark may begin with. */
  #marks: Marks | null = null;
  #spaceMarks = 0;
  #replacement = 0;
  #hasNonAscii = false;
  #hasEndToken = false;
  #pending = "";
  #carry = "";
  /** Units at the end of the carry in which no mark may have ended yet. */
  #unread = 0;

  push(text: string): void {
    this.#pending += text;
    if (this.#pending.length >= PIECE) this.#readPending();
  }

  end(): PlainMarks {
    this.#readPending();
    const carry = this.#carry;
    this.#readMarks(carry, carry.length - this.#unread, carry.length);
    const beyond = {
      space_marks: this.#spaceMarks,
      replacement: this.#replacement,
      has_non_ascii: this.#hasNonAscii,
    };
    if (this.#marks === null) return this.isAscii ? NO_MARKS : { ...NO_MARKS, ...beyond };
    const { found, hasStrike } = this.#marks;
    const isEnded = this.#hasEndToken || /<\/s>\s*$/.test(carry);
    return { ...found, ...beyond, has_end_token: isEnded && !hasStrike };
  }

  #readPending(): void {
    const pending = this.#pending;
    const carry = this.#carry;
    if (this.isAscii && isBare(carry, pending)) return this.#carryOn(pending);
    const window = carry + pending;
    this.#readMarks(window, carry.length - this.#unread, window.length - LOOKAHEAD);
    if (!this.isAscii) this.#readBeyondAscii(window);
    this.#carryOn(window);
  }

  /** Reads the marks that end behind `from` and not behind `to`. */
  #readMarks(window: string, from: number, to: number): void {
    if (!mayHaveMark(window)) return;
    this.#marks ??= new Marks();
    for (const match of window.matchAll(MARKS)) {
      const end = match.index + match[0].length;
      if (end > from && end <= to)
        this.#marks.read(match.groups ?? {}, isNamed(window, match.index, end));
    }
    this.#hasEndToken ||= /<\/s>[ \t]*\n/.test(window);
  }

  #readBeyondAscii(window: string): void {
    const pending = this.#pending;
    this.#spaceMarks += countSpaceMarks(window, this.#carry.length);
    this.#hasNonAscii ||= NON_ASCII.test(pending);
    if (pending.includes("\uFFFD")) this.#replacement += pending.split("\uFFFD").length - 1;
  }

  #carryOn(window: string): void {
    this.#carry = window.slice(-OVERLAP);
    this.#unread = Math.min(LOOKAHEAD, this.#carry.length);
    this.#pending = "";
  }
}

function mayHaveMark(text: string): boolean {
  return text.includes("<") || text.includes("[");
}

/** Most pieces have neither a mark nor the rest of one: these need not be laid out beside what came before. */
function isBare(carry: string, piece: string): boolean {
  return piece.length >= OVERLAP && !mayHaveMark(carry) && !mayHaveMark(piece);
}

function isNamed(window: string, start: number, end: number): boolean {
  const before = window.slice(Math.max(0, start - LOOKBEHIND), start);
  const after = window.slice(end, end + LOOKAHEAD);
  if (AWAITED_BEFORE.test(before) && AWAITED_AFTER.test(after)) return true;
  if (QUOTED_BEFORE.test(before) && QUOTED_AFTER.test(after)) return true;
  return NAMED_BEFORE.test(before) && NAMED_AFTER.test(after);
}

/** What the marks of a text came to so far. */
class Marks {
  readonly found = { ...NOTHING };
  /** `<s>`, which makes `</s>` HTML. */
  hasStrike = false;
  /** Tags of reasoning that are open. */
  #depth = 0;

  read(groups: Groups, isNaming: boolean): void {
    const { found } = this;
    const { tool, toolList, template, inst, bytes, strike, close, unthink, open, think } = groups;
    if (tool ?? toolList) found.has_tool_mark = true;
    if (template ?? inst) found[isNaming ? "names_template_token" : "has_template_token"] = true;
    if (bytes) found.has_byte_tokens = true;
    if (strike) this.hasStrike = true;
    if (close ?? unthink) this.#closeReasoning(isNaming);
    if (!(open ?? think)) return;
    this.#depth++;
    found.opens_reasoning = true;
  }

  #closeReasoning(isNaming: boolean): void {
    if (this.#depth > 0) this.#depth--;
    else this.found[isNaming ? "names_orphan_reasoning" : "has_orphan_reasoning"] = true;
  }
}

/** Marks of a space, but for those that lie within the part that was read before. */
function countSpaceMarks(window: string, seen: number): number {
  if (!window.includes("Ġ") && !window.includes("▁")) return 0;
  return [...window.matchAll(SPACE_MARK)].filter(({ index }) => index + 2 > seen).length;
}
