import type { DatedNotice, PostResult } from "./notification-post.ts";

/** How the deliveries to one receiver went. */
export interface QueueFigures {
  readonly delivered: number;
  /** Given up after their retries. */
  readonly failed: number;
  /** Pushed out by newer ones while the receiver was down. */
  readonly dropped: number;
  readonly queued: number;
  /** What went wrong last, completing "the receiver …"; null once something arrived. */
  readonly problem: string | null;
}

export interface NotificationQueue {
  add(notice: DatedNotice): void;
  figures(): QueueFigures;
}

interface QueueDependencies {
  readonly retries: number;
  readonly post: (notice: DatedNotice) => Promise<PostResult>;
  readonly pause: (ms: number) => Promise<void>;
  readonly isStopping: () => boolean;
  readonly onGivenUp: (notice: DatedNotice, problem: string) => void;
}

/** Notices that wait for one receiver. The oldest go first if it is down for long. */
const MAX_QUEUED = 100;
const PAUSES_MS = [1000, 5000, 25_000] as const;
const LONGEST_PAUSE_MS = 60_000;

/** Delivers one notice after another, in their order; whoever adds one never waits. */
export function createNotificationQueue(dependencies: QueueDependencies): NotificationQueue {
  const { retries, post, pause, isStopping, onGivenUp } = dependencies;
  const waiting: DatedNotice[] = [];
  const counts = { delivered: 0, failed: 0, dropped: 0 };
  let problem: string | null = null;
  let isRunning = false;

  async function deliver(notice: DatedNotice): Promise<void> {
    for (let tried = 0; !isStopping(); tried++) {
      const result = await post(notice);
      problem = result.ok ? null : result.problem;
      if (result.ok) return void counts.delivered++;
      if (!result.is_worth_retrying || tried >= retries) break;
      await pause(PAUSES_MS[tried] ?? LONGEST_PAUSE_MS);
    }
    counts.failed++;
    onGivenUp(notice, problem ?? "was not waited for");
  }

  async function run(): Promise<void> {
    isRunning = true;
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      await deliver(next);
    }
    isRunning = false;
  }

  return {
    add(notice) {
      waiting.push(notice);
      if (waiting.length > MAX_QUEUED) {
        waiting.shift();
        counts.dropped++;
      }
      if (!isRunning) void run();
    },
    figures: () => ({ ...counts, queued: waiting.length + Number(isRunning), problem }),
  };
}
