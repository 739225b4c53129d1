import type { Inventory } from "../../control/inventory.ts";
import { nearestNames } from "../../lib/nearest.ts";
import { quoted } from "../refusal.ts";

/** Why a name is no instance's, with what is near it; undefined for one that is, in any case of letters. */
export function unknownInstance(
  name: string,
  inventory: Pick<Inventory, "providers">,
): string | undefined {
  const names = inventory.providers().map((provider) => provider.name);
  const folded = name.toLowerCase();
  if (names.some((known) => known.toLowerCase() === folded)) return undefined;
  const near = nearestNames(name, names, 3).map((one) => quoted(one));
  const hint = near.length > 0 ? `; near it: ${near.join(", ")}` : "";
  return `there is no instance ${quoted(name)}${hint}`;
}
