/** The calls of one id, of which those before `next` have their results. */
interface Line<C> {
  readonly calls: C[];
  next: number;
}

/**
 * Calls of a history that wait for their results, by id; clients may use one again. A history of any
 * size costs no more than its length.
 */
export function createWaitingCalls<C extends { readonly id: string }>() {
  const lines = new Map<string, Line<C>>();
  return {
    add(call: C): void {
      const line = lines.get(call.id) ?? { calls: [], next: 0 };
      line.calls.push(call);
      lines.set(call.id, line);
    },

    /** The first that waits under this id, which then waits no more. */
    take(id: string): C | undefined {
      const line = lines.get(id);
      return line?.calls[line.next++];
    },

    /** All that still wait, which then wait no more. */
    takeAll(): readonly C[] {
      const left = [...lines.values()].flatMap(({ calls, next }) => calls.slice(next));
      lines.clear();
      return left;
    },
  };
}

export type WaitingCalls<C extends { readonly id: string }> = ReturnType<
  typeof createWaitingCalls<C>
>;
