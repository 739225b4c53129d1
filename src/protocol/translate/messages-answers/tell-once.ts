/** Passes each name on the first time only. */
export function tellOnce(tell: (name: string) => void): (name: string) => void {
  const told = new Set<string>();
  return (name) => {
    if (!told.has(name)) tell(name);
    told.add(name);
  };
}
