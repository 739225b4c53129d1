import type { Target } from "../address/target.ts";
import type { Clock } from "../lib/clock.ts";
import type { Random } from "../lib/random.ts";
import type { RoutingWorld } from "../routing/world.ts";
import type { ConnectCheck } from "../upstream/connect-check.ts";
import type { Instance, InstanceRegistry } from "../upstream/instance.ts";
import type { RouterIdentity } from "../upstream/outbound-headers.ts";
import type { Sending } from "../upstream/send.ts";
import type { AnswerTypes } from "./answer-types.ts";
import type { Health } from "./health-state.ts";
import type { ShutHosts } from "./ignore-hosts.ts";
import type { LearnedQuirks } from "./learned-quirks.ts";
import type { Ledger } from "./ledger.ts";
import type { RoutingMemory } from "./routing-memory.ts";

/** What of the config the data plane reads, resolved to numbers; each request keeps what it began with. */
export interface RelaySettings {
  readonly max_attempts: number;
  /** Further calls to the same target, 0 or 1. */
  readonly retries: number;
  /** Whether a vendor's or model's refusal of the content goes to the client or to the next target. */
  readonly on_refusal: "return" | "failover";
  readonly deadline_ms: number;
  /** Null where streams may last for ever. */
  readonly max_stream_ms: number | null;
  /** Null where headers wait for the first content. */
  readonly keepalive_ms: number | null;
  readonly max_frame_bytes: number;
  readonly max_answer_bytes: number;
  /** Signatures that are recorded and nothing more. */
  readonly ignored_signatures: ReadonlySet<string>;
}

export interface RelayDependencies {
  readonly clock: Clock;
  readonly random: Random;
  readonly newId: () => string;
  readonly settings: () => RelaySettings;
  /** The one HTTP client; the simulator's for instances of type `sim`. */
  readonly send: (sending: Omit<Sending, "fetch">) => Promise<Response>;
  readonly connectCheck: ConnectCheck;
  readonly identity: RouterIdentity;
  readonly registry: InstanceRegistry;
  readonly health: Health;
  readonly ledger: Ledger;
  readonly answerTypes: Pick<AnswerTypes, "note">;
  /** Everything a plan depends on, as one value of this moment. */
  readonly world: () => RoutingWorld;
  readonly memory: RoutingMemory;
  readonly learned: LearnedQuirks;
  /** Where a gateway must not send a request for this target. */
  readonly shutHosts: (instance: Instance, target: Target) => ShutHosts;
  /** Hashes a session id, which may be a person's, so that it goes no further. */
  readonly hashSession: (id: string) => string;
  /** Resolves when the first round of discovery is over, which a bare name waits for. */
  readonly discovered: () => Promise<void>;
  /** Told of every fault of the router's own. */
  readonly onFault: (error: unknown, request_id: string) => void;
}
