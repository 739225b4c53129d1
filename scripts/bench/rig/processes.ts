/** What Linux says of processes; every reading of one that is gone is 0 or empty. */
import { readdirSync, readFileSync } from "node:fs";

function read(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

interface ProcessStat {
  readonly parent: number;
  /** Processor time of itself and of the children it has waited for, in ticks of 10 ms. */
  readonly ticks: number;
}

function statOf(pid: number | string): ProcessStat {
  const text = read(`/proc/${pid}/stat`);
  // The name stands in brackets and may itself hold spaces and brackets.
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
  return { parent: Number(fields[1] ?? 0), ticks: Number.isNaN(ticks) ? 0 : ticks };
}

/** The process and all its descendants that are alive. */
export function familyOf(pid: number): number[] {
  const children = new Map<number, number[]>();
  for (const name of readdirSync("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    const { parent } = statOf(name);
    children.set(parent, [...(children.get(parent) ?? []), Number(name)]);
  }
  const family = [pid];
  for (const member of family) family.push(...(children.get(member) ?? []));
  return family;
}

/** Resident memory of a process and its descendants, in MB of 2^20 bytes. */
export function memoryOf(pid: number): number {
  const kilobytes = familyOf(pid).map((member) =>
    Number(/VmRSS:\s+(\d+)/.exec(read(`/proc/${member}/status`))?.[1] ?? 0),
  );
  return kilobytes.reduce((sum, each) => sum + each, 0) / 1024;
}

/** Open file descriptors of a process. */
export function descriptorsOf(pid: number): number {
  try {
    return readdirSync(`/proc/${pid}/fd`).length;
  } catch {
    return 0;
  }
}

/** Processor time so far, in ticks of 10 ms. */
export interface ProcessorTime {
  readonly ours: number;
  /** Programs that are not ours, all processors together; interrupts are left out. */
  readonly others: number;
  /** Taken by the host of this virtual machine. */
  readonly stolen: number;
}

export function processorTime(): ProcessorTime {
  const ours = familyOf(process.pid).reduce((sum, pid) => sum + statOf(pid).ticks, 0);
  const [, user = 0, nice = 0, system = 0, , , , , stolen = 0] = (
    read("/proc/stat").split("\n")[0] ?? ""
  )
    .split(/\s+/)
    .map(Number);
  return { ours, others: user + nice + system - ours, stolen };
}
