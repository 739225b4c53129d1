import type { Static } from "@sinclair/typebox";

import { paint } from "../terminal/color.ts";
import type { Shell } from "../terminal/shell.ts";
import { table } from "../terminal/table.ts";
import type { CanaryView, DryRunView, EventList, ReportView, RoundList } from "./views.ts";

const instant = (at: number | null) =>
  at === null ? "" : `${new Date(at).toISOString().slice(0, 16).replace("T", " ")}Z`;

const usd = (amount: number) => `$${amount.toFixed(amount < 0.1 ? 4 : 2)}`;

const OFF = "the canary is off; `[canary]` in the config enables it (docs/canary.md)";
const WAITS = "the canary waits: its state cannot be read yet, and the log says what is wrong";

export function printStatus(canary: CanaryView, shell: Shell): void {
  const { enabled, mode, round, spending, endpoints } = canary;
  if (round === null || spending === null) {
    shell.print(enabled ? WAITS : OFF);
    return;
  }
  const next = round.is_running ? "one is under way" : `the next at ${instant(round.next_at)}`;
  shell.print(
    `mode ${mode}, ${round.n} rounds, ${next}; ${usd(spending.usd_today)} of ${usd(spending.max_usd_per_day)} spent today`,
  );
  if (canary.is_filter_probe_weak) {
    shell.print("the question about filters blames nobody now: hosts that filter let it through");
  }
  if (endpoints.length === 0) {
    shell.print("no endpoint yet: the first round finds them");
    return;
  }
  const rows = endpoints.map((one) => [
    one.endpoint,
    one.state === "ok" ? one.state : paint(shell, "red", one.state),
    one.until_at === null ? noteOf(one) : `until ${instant(one.until_at)}`,
    one.last_fault ?? "",
  ]);
  shell.print(table([["ENDPOINT", "STATE", "", "LAST FAULT"], ...rows]));
}

function noteOf({ is_held, is_present, fail_streak }: CanaryView["endpoints"][number]): string {
  if (!is_present) return "gone";
  if (is_held) return "kept: too few others";
  return fail_streak > 0 ? `failed ${fail_streak}` : "";
}

export function printRound({ items }: Static<typeof RoundList>, shell: Shell): void {
  const rows = items.map(({ endpoint, role, result, outcomes }) => [
    role === "control" ? `${endpoint} (control)` : endpoint,
    result === "fail" ? paint(shell, "red", result) : result,
    outcomes
      .filter((outcome) => outcome.result !== "pass")
      .map(({ contract, locale, reason }) => {
        return `${contract}${locale === null ? "" : ` ${locale}`}: ${reason ?? "no answer"}`;
      })
      .join("; "),
  ]);
  shell.print(table([["ENDPOINT", "RESULT", ""], ...rows]));
}

export function printEvents({ items }: Static<typeof EventList>, shell: Shell): void {
  if (items.length === 0) {
    shell.print("nothing has happened yet");
    return;
  }
  const rows = items.map(({ at, kind, endpoint, until_at, detail }) => [
    instant(at),
    kind,
    endpoint,
    instant(until_at),
    detail ?? "",
  ]);
  shell.print(table([["AT", "WHAT", "ENDPOINT", "UNTIL", "DETAIL"], ...rows]));
}

export function printDryRun(plan: Static<typeof DryRunView>, shell: Shell): void {
  const { probes, usual_usd_per_day, worst_usd_per_day, max_usd_per_day } = plan;
  const rows = probes.map(({ endpoint, contract, locale, worst, is_assumed, prompt }) => [
    endpoint,
    locale === null ? contract : `${contract} ${locale}`,
    `${usd(worst.usd)}${is_assumed ? "?" : ""}`,
    prompt,
  ]);
  shell.print(table([["ENDPOINT", "QUESTION", "AT MOST", "PROMPT"], ...rows]));
  const limit =
    max_usd_per_day === null ? "no limit is set" : `the limit is ${usd(max_usd_per_day)}`;
  shell.print(
    `a day of such rounds: some ${usd(usual_usd_per_day)}, at most ${usd(worst_usd_per_day)}; ${limit}`,
  );
}

export function printReport(report: Static<typeof ReportView>, shell: Shell): void {
  const { suspensions, wrong_ratio } = report;
  const told =
    wrong_ratio === null
      ? "too little was seen to say how often that would have been wrong"
      : `${(100 * wrong_ratio).toFixed(1)} % of those that can be told were not borne out`;
  shell.print(`${suspensions.length} would have been suspended; ${told}`);
  const rows = suspensions.map(({ at, endpoint, hindsight, detail }) => [
    instant(at),
    endpoint,
    hindsight,
    detail ?? "",
  ]);
  if (rows.length > 0) shell.print(table([["AT", "ENDPOINT", "HINDSIGHT", "DETAIL"], ...rows]));
}
