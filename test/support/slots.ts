/** Gives leave to go on, to so many at once; disposing of it lets the next one in. */
export function slots(count: number): () => Promise<Disposable> {
  const waiting: (() => void)[] = [];
  let free = count;
  const giveBack = () => {
    const next = waiting.shift();
    if (next === undefined) free += 1;
    else next();
  };
  return async () => {
    if (free > 0) free -= 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    return { [Symbol.dispose]: giveBack };
  };
}
