import type { Database } from "bun:sqlite";

/** The steps of SQLite's plans for all statements that `work` prepares. */
export function plansOf(db: Database, work: () => void): readonly string[] {
  const seen: string[] = [];
  const [prepare, query] = [db.prepare.bind(db), db.query.bind(db)];
  const note = (sql: string) => {
    seen.push(sql);
    return sql;
  };
  Object.assign(db, {
    prepare: (sql: string) => prepare(note(sql)),
    query: (sql: string) => query(note(sql)),
  });
  work();
  return seen.flatMap((sql) =>
    prepare<{ detail: string }, []>(`EXPLAIN QUERY PLAN ${sql}`)
      .all()
      .map(({ detail }) => detail),
  );
}

type Choices<T> = { readonly [K in keyof T]-?: readonly NonNullable<T[K]>[] };

/** Every way to set some of the fields, with each of their values. */
export function combinations<T extends object>(choices: Choices<T>): Partial<T>[] {
  return Object.entries<readonly unknown[]>(choices).reduce<Partial<T>[]>(
    (chosen, [name, values]) =>
      chosen.flatMap((one) => [one, ...values.map((value) => ({ ...one, [name]: value }))]),
    [{}],
  );
}
