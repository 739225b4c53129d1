/** What a text shows outside of code. */
export interface PlainMarks {
  /** A token of a chat template, such as `<|im_end|>`. */
  readonly has_template_token: boolean;
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
  readonly non_ascii: number;
}

/** Longer than any mark; so much of the text is read again with the next piece. */
const OVERLAP = 96;

const MARKS = new RegExp(
  [
    String.raw`(?<tool><tool_calls?>|<function=|<function_calls?>|<invoke name=|\[TOOL_CALLS\]|<\|(?:tool_calls?|python_tag)\w{0,20}\|>|<｜tool[^｜\n]{1,30}｜>|<\|tool_calls?_\w{1,20}\|>)`,
    String.raw`(?<template><\|[A-Za-z][\w./-]{0,40}\|>|<｜[^｜\n]{1,40}｜>|\[/?INST\]|<</?SYS>>|<(?:start|end)_of_turn>)`,
    String.raw`(?<close></think(?:ing)?>|\[/THINK\])`,
    String.raw`(?<open><think(?:ing)?>|\[THINK\])`,
    String.raw`(?<bytes>(?:<0x[0-9A-Fa-f]{2}>){2})`,
    String.raw`(?<strike><s>)`,
  ].join("|"),
  "g",
);

const SPACE_MARK = /[Ġ▁](?=[\p{L}\p{N}])/gu;
const NON_ASCII = /[^\0-\x7F]/g;

type Groups = Readonly<Record<string, string | undefined>>;

const countOf = (text: string, pattern: RegExp) => text.match(pattern)?.length ?? 0;

/** Looks for marks in a text without code, given in pieces of any size. */
export function createPlainScan() {
  const marks = {
    has_template_token: false,
    opens_reasoning: false,
    has_orphan_reasoning: false,
    has_tool_mark: false,
    has_byte_tokens: false,
    space_marks: 0,
    replacement: 0,
    non_ascii: 0,
  };
  let hasEndToken = false;
  let hasStrike = false;
  let depth = 0;
  let carry = "";

  function readClose(): void {
    if (depth === 0) marks.has_orphan_reasoning = true;
    else depth--;
  }

  function readMark({ tool, template, close, open, bytes, strike }: Groups): void {
    if (tool !== undefined) marks.has_tool_mark = true;
    if (template !== undefined) marks.has_template_token = true;
    if (bytes !== undefined) marks.has_byte_tokens = true;
    if (strike !== undefined) hasStrike = true;
    if (close !== undefined) readClose();
    if (open === undefined) return;
    marks.opens_reasoning = true;
    depth++;
  }

  /** Reads every mark once: those that lie within the carry were read before. */
  function readMarks(window: string, seen: number): void {
    if (!window.includes("<") && !window.includes("[")) return;
    for (const match of window.matchAll(MARKS)) {
      if (match.index + match[0].length > seen) readMark(match.groups ?? {});
    }
    if (/<\/s>[ \t]*\n/.test(window)) hasEndToken = true;
  }

  return {
    push(text: string): void {
      const window = carry + text;
      readMarks(window, carry.length);
      marks.space_marks += spaceMarks(window, carry.length);
      marks.non_ascii += countOf(text, NON_ASCII);
      if (text.includes("\uFFFD")) marks.replacement += countOf(text, /\uFFFD/g);
      carry = window.slice(-OVERLAP);
    },

    end(): PlainMarks {
      const isEnded = hasEndToken || /<\/s>\s*$/.test(carry);
      return { ...marks, has_end_token: isEnded && !hasStrike };
    },
  };
}

/** Marks of a space, but for those that lie within the part that was read before. */
function spaceMarks(window: string, seen: number): number {
  if (!window.includes("Ġ") && !window.includes("▁")) return 0;
  return [...window.matchAll(SPACE_MARK)].filter(({ index }) => index + 2 > seen).length;
}
