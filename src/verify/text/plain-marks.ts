/** What a text shows outside of code. */
export interface PlainMarks {
  /** A token of a chat template, such as `<|im_end|>`. */
  readonly has_template_token: boolean;
  /** Such a token within a sentence, between blanks: named rather than leaked. */
  readonly names_template_token: boolean;
  /** `</s>` at the end of the text or of a line, where no `<s>` makes it HTML. */
  readonly has_end_token: boolean;
  /** `<think>`. */
  readonly opens_reasoning: boolean;
  /** `</think>` that nothing opened. */
  readonly has_orphan_reasoning: boolean;
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
/** What a mark needs to know of the text behind it. */
const LOOKAHEAD = 4;

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
const NAMED_AFTER = /^["'”)]?[ ,.;:]{1,2}\p{Ll}/u;

const SPACE_MARK = /[Ġ▁](?=[\p{L}\p{N}])/gu;
const NON_ASCII = /[^\0-\x7F]/;

type Groups = Readonly<Record<string, string | undefined>>;

const NO_MARKS = {
  has_template_token: false,
  names_template_token: false,
  has_tool_mark: false,
  has_byte_tokens: false,
  has_end_token: false,
  space_marks: 0,
  replacement: 0,
  has_non_ascii: false,
};

/** Looks for marks in a text without code, given in pieces of any size. */
export function createPlainScan() {
  const marks = { ...NO_MARKS };
  let hasStrike = false;
  const reasoning = createReasoningTags();
  let pending = "";
  let isAscii = true;
  let carry = "";
  /** Units at the end of the carry in which no mark may have ended yet. */
  let unread = 0;

  function readMark(groups: Groups, isNaming: boolean): void {
    const { tool, toolList, template, inst, bytes, strike } = groups;
    if (tool ?? toolList) marks.has_tool_mark = true;
    if (template ?? inst) marks[isNaming ? "names_template_token" : "has_template_token"] = true;
    if (bytes) marks.has_byte_tokens = true;
    if (strike) hasStrike = true;
    if (groups["close"] ?? groups["unthink"]) reasoning.close();
    if (groups["open"] ?? groups["think"]) reasoning.open();
  }

  /** Reads the marks that end behind `from` and not behind `to`. */
  function readMarks(window: string, from: number, to: number): void {
    if (!mayHaveMark(window)) return;
    for (const match of window.matchAll(MARKS)) {
      const end = match.index + match[0].length;
      if (end > from && end <= to) readMark(match.groups ?? {}, isNamed(window, match.index, end));
    }
    marks.has_end_token ||= /<\/s>[ \t]*\n/.test(window);
  }

  function readPending(): void {
    if (isAscii && isBare(carry, pending)) return carryOn(pending);
    const window = carry + pending;
    readMarks(window, carry.length - unread, window.length - LOOKAHEAD);
    if (!isAscii) readBeyondAscii(window);
    carryOn(window);
  }

  function readBeyondAscii(window: string): void {
    marks.space_marks += spaceMarks(window, carry.length);
    marks.has_non_ascii ||= NON_ASCII.test(pending);
    if (pending.includes("\uFFFD")) marks.replacement += pending.split("\uFFFD").length - 1;
  }

  function carryOn(window: string): void {
    carry = window.slice(-OVERLAP);
    unread = Math.min(LOOKAHEAD, carry.length);
    pending = "";
  }

  return {
    /** `isAsciiSoFar`: neither this piece nor any before it, code included, has more than ASCII. */
    push(text: string, isAsciiSoFar: boolean): void {
      isAscii = isAsciiSoFar;
      pending += text;
      if (pending.length >= PIECE) readPending();
    },

    end(): PlainMarks {
      readPending();
      readMarks(carry, carry.length - unread, carry.length);
      const isEnded = marks.has_end_token || /<\/s>\s*$/.test(carry);
      return { ...marks, ...reasoning.facts(), has_end_token: isEnded && !hasStrike };
    },
  };
}

function mayHaveMark(text: string): boolean {
  return text.includes("<") || text.includes("[");
}

/** Most pieces have neither a mark nor the rest of one: these need not be laid out beside what came before. */
function isBare(carry: string, piece: string): boolean {
  return piece.length >= OVERLAP && !mayHaveMark(carry) && !mayHaveMark(piece);
}

function isNamed(window: string, start: number, end: number): boolean {
  const before = window.slice(Math.max(0, start - LOOKAHEAD), start);
  return NAMED_BEFORE.test(before) && NAMED_AFTER.test(window.slice(end, end + LOOKAHEAD));
}

function createReasoningTags() {
  let depth = 0;
  let hasOpened = false;
  let hasOrphan = false;
  return {
    open(): void {
      depth++;
      hasOpened = true;
    },
    close(): void {
      if (depth > 0) depth--;
      else hasOrphan = true;
    },
    facts: () => ({ opens_reasoning: hasOpened, has_orphan_reasoning: hasOrphan }),
  };
}

/** Marks of a space, but for those that lie within the part that was read before. */
function spaceMarks(window: string, seen: number): number {
  if (!window.includes("Ġ") && !window.includes("▁")) return 0;
  return [...window.matchAll(SPACE_MARK)].filter(({ index }) => index + 2 > seen).length;
}
