/** First in, first out, with removal in constant time. */
export interface Fifo<T> {
  push(value: T): void;
  shift(): T | undefined;
  size: () => number;
}

/** Gaps at the front are cut off in bulk from this length on. */
const CUT_LENGTH = 1024;

export function createFifo<T>(): Fifo<T> {
  let values: (T | undefined)[] = [];
  let head = 0;
  return {
    push: (value) => void values.push(value),
    shift() {
      const value = values[head];
      if (head === values.length) return undefined;
      values[head] = undefined;
      head += 1;
      if (head > CUT_LENGTH && head * 2 > values.length) {
        values = values.slice(head);
        head = 0;
      }
      return value;
    },
    size: () => values.length - head,
  };
}
