import { findTailLoop, MIN_LOOP_LENGTH, type TailLoop } from "../text/tail-loop.ts";
import { diagnostic, excused, fault } from "../verdict.ts";
import { isCut, type Output, type Signature } from "./signature.ts";

const MANY_REPEATS = 20;
const LONG = 1_200;

export const repetitionLoop: Signature = {
  name: "repetition_loop",
  verdict: "degenerate",
  confidence: "high",
  scope: "target",
  trips: true,
  rule:
    `The last 2,400 characters end in at least five exact repeats of at least ${MIN_LOOP_LENGTH} characters. ` +
    `Counts if cut by \`length\`, or from ${MANY_REPEATS} repeats or ${LONG} characters on.`,
  spares:
    "Prompts that ask for repetition, numbers or tables (`suspect`); rows of a table, of numbers or of " +
    "formulas, and padding of base64, unless cut by `length`; lists that differ in a number.",
  isEarly: false,
  needsWhole: true,
  judge(output) {
    const loop = findTailLoop(output.text.tail);
    if (loop === null || (!isCut(output) && isRows(output, loop))) return null;
    if (output.prompt.asksFor("repetition")) return excused("suspect");
    const counts = isCut(output) || loop.repeats >= MANY_REPEATS || loop.length >= LONG;
    const detail = `${loop.repeats} repeats`;
    return counts
      ? fault("degenerate", "target", detail)
      : diagnostic("degenerate", "target", detail);
  },
};

const TABLE_ROW = /^\s*\|.*\|\s*$/;
const FORMULA = /\\[A-Za-z]+\s*[{(]/;
const NUMBERS = /^(?=.*\d)[\s\dA-Fa-fx.,;:+\-=[\](){}*/'"|]+$/;
const isRow = (line: string) => TABLE_ROW.test(line) || FORMULA.test(line) || NUMBERS.test(line);

/** What repeats is made to: lines of figures, or the padding of an encoded block. */
function isRows({ text: { tail } }: Output, loop: TailLoop): boolean {
  const looping = tail.slice(-loop.length);
  if (!/\s/.test(looping)) return /[A-Za-z0-9+/]{40}$/.test(tail.slice(0, -loop.length));
  const lines = looping
    .split("\n")
    .slice(1, -1)
    .filter((line) => line.trim() !== "");
  return lines.length > 0 && lines.every(isRow);
}
