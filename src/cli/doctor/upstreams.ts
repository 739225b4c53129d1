import type { InstanceReport } from "../server/running-app.ts";
import { type DoctorCheck, fail, ok, warn } from "./check.ts";

/** What the reports mean for somebody who wants to serve; credentials appear by name only. */
export function checkUpstreams(reports: readonly InstanceReport[]): DoctorCheck[] {
  const own = reports.filter(({ source }) => source !== "local" && source !== "builtin");
  const local = reports.filter(({ source }) => source === "local");
  return [
    checkCredentials(own),
    ...own.map((report) => checkReach(report)),
    local.length === 0
      ? ok("local servers", "none on the usual ports")
      : ok("local servers", local.map((report) => describe(report)).join(", ")),
    ...(own.length + local.length === 0 ? [NOTHING] : []),
  ];
}

const NOTHING = warn(
  "providers",
  "none: `auto` goes to the simulator",
  "set a credential such as OPENAI_API_KEY, start a local server, or configure a provider",
);

function checkCredentials(reports: readonly InstanceReport[]): DoctorCheck {
  const name = "credentials";
  const missing = reports.filter(({ credential }) => credential === "missing");
  if (missing.length > 0) {
    const names = missing.map((report) => `${report.credential_from ?? "?"} for ${report.name}`);
    return warn(name, `missing: ${names.join(", ")}`, "set them, or remove those providers");
  }
  const set = reports.flatMap(({ credential, credential_from }) =>
    credential === "set" && credential_from !== null ? [credential_from] : [],
  );
  return ok(name, set.length === 0 ? "none are needed" : `set: ${[...new Set(set)].join(", ")}`);
}

function checkReach(report: InstanceReport): DoctorCheck {
  const name = `provider ${report.name}`;
  if (report.problem !== null) {
    return warn(name, report.problem, `fix or remove [providers.${report.name}]`);
  }
  if (report.reach === null) return ok(name, `${report.base_url}, not asked`);
  if (report.reach.ok) return ok(name, describe(report));
  const fix = `check the network, the credential and base_url of ${report.name}`;
  return fail(name, `${report.base_url} ${report.reach.reason}`, fix);
}

function describe({ name, base_url, reach }: InstanceReport): string {
  return reach?.ok === true ? `${name} ${base_url}, ${reach.models} models` : `${name} ${base_url}`;
}
