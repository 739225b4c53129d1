import { type Target, targetKey } from "../../address/target.ts";
import type { SuspensionInForce } from "../../canary/ladder/in-force.ts";
import { hasHosts } from "../../catalog/gateway.ts";
import { type Exclusion, isInForce } from "../../health/exclusions.ts";
import { subjectKey } from "../../health/scope.ts";
import {
  indexSuspensions,
  NO_SUSPENSIONS,
  type SuspensionIndex,
} from "../../health/suspensions.ts";
import type { Clock } from "../../lib/clock.ts";
import { memoize } from "../../lib/memoize.ts";
import { NO_HOSTS, type ShutHosts } from "../../relay/ignore-hosts.ts";
import type { Instance } from "../../upstream/instance.ts";
import type { ExclusionList } from "../exclusion-list.ts";

/** What the canary has suspended, as the request path asks for it; empty while it is off. */
export interface SuspensionBoard {
  /** Replaces all of it. */
  readonly put: (suspensions: readonly SuspensionInForce[]) => void;
  /** In force at this moment. */
  readonly list: () => readonly SuspensionInForce[];
  /** Those of targets that are their own endpoint. */
  readonly targets: () => SuspensionIndex;
  /** Hosts of a gateway that are not to serve a target, exclusions of endpoints among them. */
  readonly hosts: (instance: Instance, target: Target) => ShutHosts;
}

interface BoardDependencies {
  readonly clock: Pick<Clock, "now">;
  readonly exclusions: Pick<ExclusionList, "list">;
}

export function createSuspensionBoard({ clock, exclusions }: BoardDependencies): SuspensionBoard {
  let all: readonly SuspensionInForce[] = [];
  let targets: SuspensionIndex = NO_SUSPENSIONS;
  let suspended: HostIndex<SuspensionInForce> = NONE;
  const excluded = memoize(excludedHosts);

  return {
    put(suspensions) {
      all = suspensions;
      targets = indexSuspensions(suspensions.filter(({ host }) => host === null));
      suspended = byTarget(suspensions.flatMap(ofHost));
    },
    list: () => all.filter(({ until_at }) => until_at > clock.now()),
    targets: () => targets,
    hosts(instance, target) {
      const shut = excluded(exclusions.list());
      if (shut.size + suspended.size === 0 || !hasHosts(instance.type)) return NO_HOSTS;
      const now = clock.now();
      const key = subjectKey(targetKey(target));
      return {
        excluded: hostsOf(shut.get(key), (exclusion) => isInForce(exclusion, now)),
        suspended: hostsOf(suspended.get(key), ({ until_at }) => until_at > now),
      };
    },
  };
}

/** An endpoint at a host, by its target's key. */
interface AtHost<T> {
  readonly target: string;
  readonly host: string;
  readonly what: T;
}

type HostIndex<T> = ReadonlyMap<string, readonly AtHost<T>[]>;

const NONE: HostIndex<never> = new Map();

const byTarget = <T>(found: readonly AtHost<T>[]): HostIndex<T> =>
  Map.groupBy(found, ({ target }) => target);

function ofHost(suspension: SuspensionInForce): AtHost<SuspensionInForce>[] {
  const { host, instance, model } = suspension;
  if (host === null) return [];
  return [{ target: subjectKey(targetKey({ instance, model })), host, what: suspension }];
}

/** Exclusions whose subject is `instance:model@host`. */
function excludedHosts(exclusions: readonly Exclusion[]): HostIndex<Exclusion> {
  return byTarget(
    exclusions.flatMap((exclusion) => {
      const { subject } = exclusion;
      const at = subject.lastIndexOf("@");
      if (at === -1 || !subject.slice(0, at).includes(":")) return [];
      return [
        { target: subjectKey(subject.slice(0, at)), host: subject.slice(at + 1), what: exclusion },
      ];
    }),
  );
}

const NO_NAMES: readonly string[] = [];

function hostsOf<T>(
  found: readonly AtHost<T>[] | undefined,
  isValid: (what: T) => boolean,
): readonly string[] {
  if (found === undefined) return NO_NAMES;
  return found.filter(({ what }) => isValid(what)).map(({ host }) => host);
}
