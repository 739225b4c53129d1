import { readBlock } from "../address/block.ts";
import { isStream } from "../routing/demands.ts";
import type { ClientRequest } from "./client-request.ts";
import type { RelayDependencies, RelaySettings } from "./dependencies.ts";
import { askedModel } from "./plan-request.ts";
import { Run } from "./run.ts";

/** Opens the decision of a request, and starts its deadline. */
export function beginRun(
  { ledger, clock, settings }: Pick<RelayDependencies, "ledger" | "clock" | "settings">,
  request: ClientRequest,
): Run {
  const { dialect, request_id, parsed, key_id } = request;
  const stream = isStream(parsed, dialect);
  const entry = ledger.begin({ request_id, dialect, stream, asked: askedModel(request), key_id });
  return new Run({ request, entry, clock, settings: settingsFor(parsed, settings()) });
}

/** What the request itself asks for beats the config; a block that cannot be read is refused by the plan. */
function settingsFor({ veriroute }: ClientRequest["parsed"], configured: RelaySettings) {
  if (veriroute === undefined) return configured;
  const read = readBlock(veriroute);
  const routing = read.kind === "ok" ? read.block.routing : undefined;
  return routing === undefined ? configured : { ...configured, ...routing };
}

/** Ends a run when its client goes away; `close` is for when all is said. Both may come twice. */
export function followClient(signal: AbortSignal, run: Run, forget: () => void) {
  const leave = () => {
    run.watch.abort({ kind: "cancelled" });
    close();
  };
  const close = () => {
    signal.removeEventListener("abort", leave);
    run.watch.end();
    forget();
  };
  signal.addEventListener("abort", leave);
  if (signal.aborted) leave();
  return { close, leave };
}
