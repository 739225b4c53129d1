import type { PlanView, Reason } from "../../routing/plan.ts";
import { table } from "../terminal/table.ts";
import { returns } from "./returns.ts";

const HEAD = ["#", "TARGET", "REASON", "RETURNS", "DETAIL"];

/**
 * A plan as a table: who is tried in which place, and for everybody else each reason on a line of its
 * own, the firmest first.
 */
export function planTable({ candidates }: PlanView, now: number, mark: (text: string) => string) {
  let place = 0;
  const rows = candidates.flatMap(({ target, eligible, reasons }) => {
    const start = [eligible ? String(++place) : mark("-"), target];
    if (reasons.length === 0) return [[...start, "eligible"]];
    return reasons.map((reason, at) => [...(at === 0 ? start : ["", ""]), ...cells(reason, now)]);
  });
  return table([HEAD, ...rows], "  ");
}

function cells(reason: Reason, now: number): string[] {
  const { layer, code, detail } = reason;
  return [`L${layer} ${code}`, returns(reason, now), detail ?? ""];
}
