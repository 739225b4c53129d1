import { StoreError } from "../store-error.ts";
import type { Call, Calls, FromWorker, Refusal, ToWorker } from "../worker-messages.ts";

/** Questions that wait at once; more of them means that the worker is stuck. */
const MAX_CALLS = 1000;

type Answer = Extract<FromWorker, { kind: "gave" | "refused" }>;
type CallMessage = Extract<ToWorker, { kind: "call" }>;

/** Calls that have not left for the worker yet, and calls that it has not answered yet. */
export interface WaitingCalls {
  /** `after` is how many rows must have left the queue before. Rejects with `StoreError`. */
  add: <C extends Call>(call: C, after: number) => Promise<Calls[C["name"]]["gives"]>;
  /** Removes the calls that may leave once `left` rows have. */
  takeReady(left: number): CallMessage[];
  unsent(): number;
  answered(answer: Answer): void;
  refuseAll(refusal: Refusal): void;
}

export function createWaitingCalls(): WaitingCalls {
  let unsent: { readonly message: CallMessage; readonly after: number }[] = [];
  const unanswered = new Map<number, (answer: Answer) => void>();
  let lastId = 0;

  return {
    add<C extends Call>(call: C, after: number) {
      return new Promise<Calls[C["name"]]["gives"]>((resolve, reject) => {
        const refuse = ({ kind, message }: Refusal) => reject(new StoreError(kind, message));
        if (unanswered.size >= MAX_CALLS) return refuse(TOO_MANY);
        const id = (lastId += 1);
        unanswered.set(id, (answer) =>
          answer.kind === "gave" ? resolve(answer.value) : refuse(answer.refusal),
        );
        unsent.push({ message: { kind: "call", id, call }, after });
      });
    },
    takeReady(left) {
      const ready = unsent.filter(({ after }) => after <= left);
      unsent = unsent.slice(ready.length);
      return ready.map(({ message }) => message);
    },
    unsent: () => unsent.length,
    answered(answer) {
      unanswered.get(answer.id)?.(answer);
      unanswered.delete(answer.id);
    },
    refuseAll(refusal) {
      unsent = [];
      for (const [id, settle] of unanswered) settle({ kind: "refused", id, refusal });
      unanswered.clear();
    },
  };
}

const TOO_MANY: Refusal = {
  kind: "failed",
  message: "too many questions are waiting for the store. Try again later.",
};
