import { Type } from "@sinclair/typebox";

import { closed, duration, size } from "./schema-kinds.ts";

export const StoreSection = Type.Object(
  {
    retention: duration("30d", "Age at which decisions are deleted.", { long: true }),
    max_size: size("2GiB", "Database size above which the oldest decisions go."),
  },
  { ...closed, description: "What is kept on disk, and for how long." },
);

export const LogSection = Type.Object(
  {
    level: Type.Union(
      ["trace", "debug", "info", "warn", "error", "fatal", "silent"].map((level) =>
        Type.Literal(level),
      ),
      { default: "info", description: "Least severe lines that are written.", writable: true },
    ),
  },
  { ...closed, description: "What is logged." },
);
