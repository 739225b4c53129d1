import type { AnswerLoss, OnLoss } from "../answer-loss.ts";

/** Passes each name on the first time only. */
export function tellOnce(tell: OnLoss): OnLoss {
  const told = new Set<AnswerLoss>();
  return (name) => {
    if (!told.has(name)) tell(name);
    told.add(name);
  };
}
