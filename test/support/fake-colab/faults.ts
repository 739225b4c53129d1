/**
 * What goes wrong, by name. A value may end in `*N`: it then holds for N calls. Empty values are no
 * faults; durations are milliseconds.
 */
export interface Faults {
  /** 400 · 412 · 412-raw · 503 · outcome · timeout-leak · crash-before · crash-after-assign · wrong-gpu · hang · not-stored */
  new?: string;
  /** How long a new machine is missing from listings. */
  list_lag_ms?: number;
  /** When a leaked machine (`new: "timeout-leak"`) shows up. */
  leak_ms?: number;
  /** 500 · 401 · network · badenum · false-empty · hang */
  sessions?: string;
  /** How the lines look: 0.6 · reordered · coloured · boxed; always the same until it is unset. */
  sessions_format?: string;
  /** How long a machine lives by itself. */
  vanish_after_ms?: number;
  /** traceback · silent · timeout-late · lost · conn-lost · jkc · hang · partial · noise */
  exec?: string;
  boot_ms?: number;
  /** The explaining line of a server that does not come. */
  boot_fail?: string;
  /** The explaining line of a preparation that does not come to its end. */
  bake_fail?: string;
  /** The watchdog cannot be installed. */
  watchdog?: string;
  /** 500 · network · lies · slow · hang · not-found */
  stop?: string;
  /** lag · missing · garbage · fail */
  usage?: string;
  /** Somebody else's login: its machines are none of those that there are. */
  account?: string;
  /** fail · nobody (a login without address) */
  whoami?: string;
  /** oauth-prompt · adc-expired · refused */
  auth?: string;
  /** 400 · 401 · 403 · 404 · 429 · 502 · network · hang */
  ssh?: string;
  /** An open connection ends by itself after this. */
  ssh_drop_ms?: number;
  /** The update banner comes first. */
  banner?: string;
  latency_ms?: number;
  /** fail · hang */
  upload?: string;
  /** fail · hang · cut */
  download?: string;
  /** Seconds that a proxy token lives; 3600 if unset. */
  token_ttl_s?: number;
  version?: string;
}

type TextFault = {
  [Name in keyof Faults]-?: Exclude<Faults[Name], undefined> extends string ? Name : never;
}[keyof Faults];

/** The fault of that name, counted down; undefined if there is none, or none left. */
export function takeFault(faults: Faults, name: TextFault): string | undefined {
  const value = faults[name];
  if (value === undefined || value === "") return undefined;
  const [, kind = value, times] = /^(.*)\*(\d+)$/.exec(value) ?? [];
  if (times === undefined) return kind;
  const left = Number(times) - 1;
  if (left > 0) faults[name] = `${kind}*${left}`;
  else delete faults[name];
  return kind;
}
