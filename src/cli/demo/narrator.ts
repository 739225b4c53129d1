import { Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";

import { explain } from "../explain.ts";
import { paint } from "../terminal/color.ts";
import type { Shell } from "../terminal/shell.ts";
import { table } from "../terminal/table.ts";
import { POOL } from "./fleet.ts";
import type { Benched, DemoReport, PhaseReport } from "./report.ts";
import { decisionUrl } from "./router-state.ts";
import type { Watcher } from "./scenario.ts";

/** The part of a decision that is shown; more may be there. */
const Record = Type.Object({
  id: Type.String(),
  attempts: Type.Array(
    Type.Object({
      n: Type.Integer(),
      target: Type.String(),
      kind: Type.String(),
      status: Type.Union([Type.Integer(), Type.Null()]),
      duration_ms: Type.Number(),
    }),
  ),
});

/** Tells the story to a person, a few lines for each phase. */
export function createNarrator(url: string, shell: Shell): Watcher {
  const command = (text: string) => shell.print(`\n${paint(shell, "dim", `$ ${text}`)}`);
  return {
    begins({ name, story }) {
      shell.print(`\n${paint(shell, "bold", name)}: ${story}`);
    },
    waits: (reason) => shell.print(`\n${reason} …`),
    ends: (report) => shell.print(`  ${summary(report, shell)}`),
    async explains(decision) {
      if (!Value.Check(Record, decision)) return;
      command(`curl ${decisionUrl(url, decision.id)}`);
      shell.print(attemptTable(decision.attempts));
      command(`veriroute explain ${POOL} --url ${url}`);
      await explain.run({ positionals: [POOL], values: { url }, flags: new Set() }, shell);
    },
  };
}

/** For `--json`: progress on standard error, the report says the rest. */
export function createProgress({ complain }: Shell): Watcher {
  return {
    begins: ({ name, story }) => complain(`${name}: ${story}`),
    waits: complain,
    ends: () => {},
    explains: () => Promise.resolve(),
  };
}

function attemptTable(attempts: Readonly<(typeof Record)["static"]["attempts"]>): string {
  const rows = attempts.map(({ n, target, kind, status, duration_ms }) => [
    String(n),
    target,
    kind,
    String(status ?? "-"),
    `${Math.round(duration_ms)} ms`,
  ]);
  return table([["attempt", "target", "result", "status", "time"], ...rows], "  ");
}

function summary(report: PhaseReport, shell: Shell): string {
  const { requests, rescued, client_errors } = report;
  const errors = `${client_errors} errors seen by clients`;
  return [
    `${requests} requests`,
    `${rescued} rescued unseen`,
    paint(shell, client_errors === 0 ? "green" : "red", errors),
    `served by ${served(report)}`,
    ...report.benched.map((bench) => `benched: ${describeBench(bench)}`),
  ].join(", ");
}

function served(report: PhaseReport): string {
  const counts = Object.entries(report.served).filter(([, count]) => count > 0);
  return counts.map(([instance, count]) => `${instance} ${count}`).join(", ") || "nobody";
}

function describeBench({ target, reasons }: Benched): string {
  return `${target} (${reasons.map(({ code, detail }) => detail ?? code).join("; ")})`;
}

/** The closing table and what it comes to. */
export function printReport(report: DemoReport, shell: Shell): void {
  const heading = ["phase", "requests", "ok", "rescued unseen", "client errors", "served by"];
  const rows = report.phases.map((phase) => [
    phase.name,
    ...[phase.requests, phase.ok, phase.rescued, phase.client_errors].map(String),
    served(phase),
    benchedNames(phase.benched),
  ]);
  shell.print(`\n${table([[...heading, "benched at the end"], ...rows])}`);
  const { requests, rescued, client_errors } = report;
  const closing = `${requests} requests, ${rescued} of them rescued unseen, ${client_errors} errors seen by clients.`;
  shell.print(`\n${paint(shell, client_errors === 0 ? "green" : "red", closing)}`);
}

function benchedNames(benched: readonly Benched[]): string {
  return benched.map(({ target }) => target.split(":")[0]).join(", ") || "-";
}
