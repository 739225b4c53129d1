import { quote } from "../address/spec-fault.ts";
import { type Refusal, refuse } from "./destination.ts";
import { suggest } from "./suggest.ts";
import { listed } from "./words.ts";

export interface UnknownName {
  readonly kind: "pool" | "lane" | "profile";
  readonly name: string;
  readonly known: readonly string[];
  readonly param: string;
}

export function unknownName({ kind, name, known, param }: UnknownName): Refusal {
  const message =
    known.length === 0
      ? `there is no ${kind} ${quote(name)}; none is configured`
      : `there is no ${kind} ${quote(name)}; known: ${listed(nearestFirst(name, known))}`;
  return refuse("model_not_found", message, param);
}

function nearestFirst(name: string, known: readonly string[]): string[] {
  return [...new Set([...suggest(name, known), ...known])];
}
