import { explainingLine, squeeze } from "../colab/output.ts";
import { redactText } from "../redact.ts";

export type TunnelFault =
  /** Another connection to this machine is open, or an old one lingers. */
  | "busy"
  /** Colab does not offer ssh on this machine or to this account. */
  | "refused"
  /** The proxy token is no longer taken. */
  | "expired"
  /** The store lost the session: the bridge would have rented another machine, and could not. */
  | "no_session"
  | "machine_down"
  | "network"
  | "port_taken"
  /** The machine answers with another host key than before. */
  | "host_changed"
  | "dropped"
  | "not_installed"
  | "failed";

export interface TunnelEnd {
  readonly fault: TunnelFault;
  /** For people; holds no secret. */
  readonly detail: string;
}

/** Text → meaning, the first found; ssh itself exits with 255 for everything. */
const RULES: readonly (readonly [TunnelFault, ...string[]])[] = [
  ["port_taken", "Address already in use", "cannot listen to port", "Could not request local"],
  ["host_changed", "Host key verification failed", "REMOTE HOST IDENTIFICATION HAS CHANGED"],
  ["busy", "(HTTP 429)", "Already-active SSH session"],
  ["expired", "(HTTP 401)"],
  ["refused", "(HTTP 403)", "(HTTP 404)", "(HTTP 400)", "unsupported key type"],
  ["machine_down", "(HTTP 502)", "(HTTP 503)", "(HTTP 504)"],
  ["no_session", "DefaultCredentialsError", "' not found", "Creating runtime"],
  ["network", "WebSocket connection failed", "without an HTTP status", "NameResolutionError"],
  ["dropped", "client_loop:", "Broken pipe", "Connection reset", "Timeout, server", "closed by"],
];
const SQUEEZED = RULES.map(([fault, ...texts]) => ({ fault, texts: texts.map(squeeze) }));

/** Why a connection ended, from what ssh and the bridge said. */
export function readSshEnd(stderr: string): TunnelEnd {
  const squeezed = squeeze(stderr);
  const known = SQUEEZED.find(({ texts }) => texts.some((text) => squeezed.includes(text)));
  const said = stderr.split("\n").find((line) => line.startsWith("[colab] "));
  return { fault: known?.fault ?? "failed", detail: redactText(said ?? explainingLine(stderr)) };
}

/** Whether trying again by itself may help: `port_taken` wants another port, the others a person. */
export function isFinal(fault: TunnelFault): boolean {
  return fault === "port_taken" || fault === "host_changed" || fault === "not_installed";
}

const LADDER_MS = [1000, 2000, 5000, 10_000, 30_000, 60_000] as const;
const LEAST_MS: Partial<Record<TunnelFault, number>> = {
  // An old connection that lingers on the other side is gone after a while, not at once.
  busy: 20_000,
  refused: 60_000,
};

/** The wait before the next connection; `failures` in a row, at least 1; ±10 %. */
export function reconnectDelay(fault: TunnelFault, failures: number, random: () => number): number {
  const step = LADDER_MS[Math.min(failures, LADDER_MS.length) - 1] ?? LADDER_MS[0];
  return Math.round(Math.max(step, LEAST_MS[fault] ?? 0) * (0.9 + 0.2 * random()));
}
