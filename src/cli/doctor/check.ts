/** One finding of `doctor`; the JSON of `doctor --json` is a list of these. */
export interface DoctorCheck {
  readonly name: string;
  readonly status: "ok" | "warn" | "fail";
  readonly detail: string;
  /** What to do; null where there is nothing to do. */
  readonly fix: string | null;
}

export function ok(name: string, detail: string): DoctorCheck {
  return { name, status: "ok", detail, fix: null };
}

export function warn(name: string, detail: string, fix: string): DoctorCheck {
  return { name, status: "warn", detail, fix };
}

export function fail(name: string, detail: string, fix: string): DoctorCheck {
  return { name, status: "fail", detail, fix };
}
