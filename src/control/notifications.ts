import type { Env } from "../config/paths.ts";
import { USUAL_NOTICES } from "../config/schema-verifier.ts";
import type { Config } from "../config/schema.ts";
import type { HealthNotice } from "../health/notices.ts";
import type { Clock } from "../lib/clock.ts";
import { parseDuration } from "../lib/durations.ts";
import { memoize } from "../lib/memoize.ts";
import type { Log } from "../telemetry/log.ts";
import type { Fetch } from "../upstream/fetch.ts";
import { logNotice } from "./health-notices.ts";
import { type DatedNotice, postNotice, type Receiver } from "./notification-post.ts";
import {
  createNotificationQueue,
  type NotificationQueue,
  type QueueFigures,
} from "./notification-queue.ts";
import { type NoticeText, noticeText } from "./notification-text.ts";

/** A notice as it is listed. */
export interface NotificationView extends NoticeText {
  readonly at: number;
  readonly kind: HealthNotice["kind"];
  /** Names of the receivers that it was meant for. */
  readonly receivers: readonly string[];
}

/** A receiver as it may be shown: its host, not its URL. */
export interface ReceiverView extends QueueFigures {
  readonly name: string;
  readonly type: Receiver["type"];
  readonly host: string;
}

export interface TestDelivery {
  readonly receiver: string;
  readonly ok: boolean;
  readonly status: number | null;
  /** Completes "the receiver …"; null if it arrived. */
  readonly problem: string | null;
}

export interface Notifications {
  /** Logs a notice and hands it to whoever is to be told. Neither waits nor throws. */
  readonly notify: (notice: HealthNotice) => void;
  /** Adds one that hears every notice at once. */
  listen(listener: (notice: HealthNotice) => void): void;
  /** The latest notices, newest first. */
  recent(): readonly NotificationView[];
  receivers(): readonly ReceiverView[];
  /** One try at each receiver, or at one; undefined if there is no such receiver. */
  test(receiver?: string): Promise<readonly TestDelivery[] | undefined>;
  /** Ends deliveries under way. */
  stop(): void;
}

export interface NotificationsDependencies {
  readonly clock: Clock;
  readonly config: () => Pick<Config, "notifications">;
  readonly fetch: Fetch;
  readonly env: Env;
  readonly version: string;
  readonly log: Pick<Log, "info" | "warn" | "error">;
  /** Waits between two tries. */
  readonly pause?: (ms: number) => Promise<void>;
}

const MAX_RECENT = 500;

/** Tells people what happens to the fleet, where the config says so; the log is told in any case. */
export function createNotifications(dependencies: NotificationsDependencies): Notifications {
  const { clock, log } = dependencies;
  const stopping = new AbortController();
  const listeners: ((notice: HealthNotice) => void)[] = [];
  const recent: NotificationView[] = [];
  const receivers = createReceivers(dependencies, stopping.signal);

  return {
    notify(notice) {
      logNotice(log, notice);
      for (const listener of listeners) listener(notice);
      if (stopping.signal.aborted) return;
      const dated = { at: clock.now(), notice };
      const meant = receivers.current().filter(({ kinds }) => kinds.has(notice.kind));
      for (const { queue } of meant) queue.add(dated);
      const names = meant.map(({ receiver }) => receiver.name);
      recent.unshift({ ...noticeText(notice), at: dated.at, kind: notice.kind, receivers: names });
      if (recent.length > MAX_RECENT) recent.pop();
    },
    listen: (listener) => void listeners.push(listener),
    recent: () => recent,
    receivers: () =>
      receivers.current().map(({ receiver: { name, type, url }, queue }) => {
        const host = URL.parse(url)?.host ?? "?";
        return Object.assign({ name, type, host }, queue.figures());
      }),
    async test(name) {
      const all = receivers.current().map(({ receiver }) => receiver);
      const meant = all.filter((one) => name === undefined || one.name === name);
      if (name !== undefined && meant.length === 0) return undefined;
      const dated = { at: clock.now(), notice: TEST_NOTICE };
      return Promise.all(meant.map((receiver) => tryOnce(receiver, dated)));
    },
    stop: () => stopping.abort(),
  };

  async function tryOnce(receiver: Receiver, dated: DatedNotice): Promise<TestDelivery> {
    const result = await postNotice(receiver, dated, { ...dependencies, signal: stopping.signal });
    const about = { receiver: receiver.name, ok: result.ok };
    return result.ok
      ? { ...about, status: result.status, problem: null }
      : { ...about, status: null, problem: result.problem };
  }
}

/** What a receiver sees when somebody wants to know whether it can be reached. */
const TEST_NOTICE: HealthNotice = { kind: "test" };

interface LiveReceiver {
  readonly receiver: Receiver;
  readonly kinds: ReadonlySet<string>;
  readonly queue: NotificationQueue;
}

/** Receivers as the config has them now; one whose section did not change keeps its queue. */
function createReceivers(dependencies: NotificationsDependencies, signal: AbortSignal) {
  const { config } = dependencies;
  let known = new Map<string, { readonly section: string; readonly live: LiveReceiver }>();
  const read = memoize((sections: Config["notifications"]) => {
    const next = new Map<string, { readonly section: string; readonly live: LiveReceiver }>();
    for (const [name, section] of Object.entries(sections)) {
      const text = JSON.stringify(section);
      const before = known.get(name);
      const live = before?.section === text ? before.live : open(name, section);
      next.set(name, { section: text, live });
    }
    known = next;
    return [...next.values()].map(({ live }) => live);
  });

  function open(name: string, section: Config["notifications"][string]): LiveReceiver {
    const { type, url = "", token = null, timeout, retries, kinds = USUAL_NOTICES } = section;
    const receiver = { name, type, url, token, timeout_ms: parseDuration(timeout) ?? 0 };
    const queue = createNotificationQueue({
      retries,
      post: (notice) => postNotice(receiver, notice, { ...dependencies, signal }),
      pause: dependencies.pause ?? ((ms) => pauseUnless(ms, signal)),
      isStopping: () => signal.aborted,
      onGivenUp: ({ notice: { kind } }, problem) =>
        dependencies.log.warn({ receiver: name, kind, problem }, "a notice was not delivered"),
    });
    return { receiver, kinds: new Set(kinds), queue };
  }

  return { current: () => read(config().notifications) };
}

async function pauseUnless(ms: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  timer.unref();
  const cutShort = () => resolve();
  signal.addEventListener("abort", cutShort, { once: true });
  await promise;
  clearTimeout(timer);
  signal.removeEventListener("abort", cutShort);
}
