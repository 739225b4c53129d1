/** What can be wrong with a call of `colab`, and what a person can do about it. */
export type ColabFaultKind =
  | "not_installed"
  | "another_program"
  | "too_old"
  | "cannot_start"
  | "disk_full"
  | "not_logged_in"
  | "login_refused"
  | "scope_missing"
  | "no_entitlement"
  | "no_capacity"
  | "limit_reached"
  | "unknown_session"
  | "session_lost"
  | "network"
  | "server_error"
  | "timeout"
  | "stopped"
  | "kernel_client"
  | "connection_lost"
  | "not_supported"
  | "name_taken"
  | "bad_request"
  | "no_marker"
  | "unreadable"
  | "failed";

export interface ColabFault {
  readonly kind: ColabFaultKind;
  /** What failed, on what, and the way out: for people. Holds no secret. */
  readonly message: string;
  /** The line of the command's output that says why, redacted and cut; empty if there is none. */
  readonly detail: string;
}
