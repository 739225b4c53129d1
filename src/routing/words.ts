import { quote } from "../address/spec-fault.ts";

/** More would bury the message that lists them. */
const MAX_LISTED = 20;

/** Names in backticks, cut to a readable number. */
export function listed(names: readonly string[]): string {
  const shown = names.slice(0, MAX_LISTED).map(quote).join(", ");
  const rest = names.length - MAX_LISTED;
  return rest > 0 ? `${shown} and ${rest} more` : shown;
}
