/** Reading what programs print for people: colours, boxes, hard wraps and banners included. */

import type { CommandResult } from "../command.ts";

/** Nothing of a command that did not start. */
export function outputOf(result: CommandResult): {
  readonly stdout: string;
  readonly stderr: string;
} {
  return result.kind === "not_started" ? { stdout: "", stderr: "" } : result;
}

/** Colours, cursor movements, titles. */
const ESCAPES =
  // oxlint-disable-next-line no-control-regex -- these are what it is about
  /\u001B(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001B]*(?:\u0007|\u001B\\)?|[@-_])/g;
const BOXES = /[\u2500-\u257F]/g;

/** Lines without escapes; every kind of line end, trailing blanks removed. */
export function plainLines(text: string): string[] {
  return plainText(text)
    .split(/\r\n|\n|\r/)
    .map((line) => line.trimEnd());
}

export function plainText(text: string): string {
  return text.replaceAll(ESCAPES, "");
}

/**
 * Without boxes, blanks and line ends, in lower case: what was wrapped at 80 columns, in the middle
 * of a word or not, reads as if it had not been.
 */
export function squeeze(text: string): string {
  return plainText(text).replaceAll(BOXES, "").replaceAll(/\s+/g, "").toLowerCase();
}

/** The text of a line inside a box, or of a plain one. */
export function insideBox(line: string): string {
  return line.replaceAll(BOXES, " ").trim();
}

const MAX_DETAIL = 300;
/** How Python and pip begin the line that says why. */
const REASON =
  /^(?:[A-Za-z_][\w.]*(?:Error|Exception|Timeout|Interrupt|Exit)\b|ERROR:|error:|fatal:)/;

/** The line that explains a failure: the last that names an error, else the last there is. */
export function explainingLine(text: string): string {
  const lines = plainLines(text)
    .map((line) => insideBox(line))
    .filter((line) => /\w/.test(line));
  const line = lines.findLast((candidate) => REASON.test(candidate)) ?? lines.at(-1) ?? "";
  return line.slice(0, MAX_DETAIL);
}
