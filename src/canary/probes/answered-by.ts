import type { TargetKey } from "../../address/target.ts";
import { type Endpoint, type EndpointKey, endpointKey } from "../endpoints/endpoint.ts";

type Named = Pick<Endpoint, "host" | "host_name">;

const plain = (name: string) => name.toLowerCase().replaceAll(/[^a-z0-9]/g, "");

/**
 * Whether an answer came from the host that was asked. A gateway names it by its display name or its
 * tag; one that names nobody may have asked anybody, so that proves nothing.
 */
export function isFromAsked({ host, host_name }: Named, answered_by: string | null): boolean {
  if (host === null) return true;
  if (answered_by === null) return false;
  const names = [host, host.split("/")[0] ?? host, ...(host_name === null ? [] : [host_name])];
  return names.map(plain).includes(plain(answered_by));
}

/** An endpoint by what its answers can be told by. */
export interface Answerer extends Named {
  readonly target: TargetKey;
}

/**
 * Whether live answers of `recorded`, in which a host is called as its answers call it, are this one's. A
 * name that several hosts of a target go by is nobody's.
 */
export function isItsOwn(recorded: EndpointKey, own: Answerer, all: readonly Answerer[]): boolean {
  if (own.host === null) return recorded === own.target;
  const prefix = endpointKey(own.target, "");
  const name = recorded.slice(prefix.length);
  if (!recorded.startsWith(prefix) || !isFromAsked(own, name)) return false;
  return all.every(
    (one) => one.target !== own.target || one.host === own.host || !isNamed(one, name),
  );
}

const isNamed = (one: Named, name: string) => one.host !== null && isFromAsked(one, name);
