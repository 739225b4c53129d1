import { httpRequest, requestBody } from "../rig/payloads.ts";
import { connect, type WireClient } from "../rig/wire-client.ts";

export interface SoakPlan {
  readonly requests: number;
  readonly connections: number;
}

export interface SoakCounts {
  whole: number;
  streams: number;
  /** Streams whose client went away after their first bytes. */
  aborted: number;
  /** Answers with another status than 200. */
  failed: number;
}

export interface SoakLoad {
  readonly counts: SoakCounts;
  /** Latencies of whole answers in ms since this was last asked. */
  takeTimes(): number[];
  /** Settles when all requests are over; rejects if a connection breaks. */
  readonly over: Promise<void>;
}

/** Of ten requests six want a whole answer, three a stream, and one leaves its stream half way. */
const TURNS = [
  "whole",
  "stream",
  "whole",
  "whole",
  "stream",
  "whole",
  "abort",
  "whole",
  "stream",
  "whole",
] as const;

const WHOLE = httpRequest(requestBody("whole", 2000), {});
const STREAM = httpRequest(requestBody("burst", 2000), {});
const PACED = httpRequest(requestBody("paced", 2000), {});

export function startSoak(url: string, { requests, connections }: SoakPlan): SoakLoad {
  const counts: SoakCounts = { whole: 0, streams: 0, aborted: 0, failed: 0 };
  let times: number[] = [];
  let begun = 0;

  async function ask(client: WireClient, request: Buffer): Promise<void> {
    const { status, end_ms } = await client.ask(request);
    if (status !== 200) counts.failed++;
    if (request === WHOLE) times.push(end_ms);
  }

  async function work(): Promise<void> {
    let client = await connect(url);
    while (begun < requests) {
      const turn = TURNS[begun++ % TURNS.length] ?? "whole";
      if (turn === "abort") {
        await client.askAndLeave(PACED);
        client = await connect(url);
        counts.aborted++;
        continue;
      }
      await ask(client, turn === "whole" ? WHOLE : STREAM);
      counts[turn === "whole" ? "whole" : "streams"]++;
    }
    client.close();
  }

  const over = Promise.all(Array.from({ length: connections }, work)).then(() => undefined);
  return {
    counts,
    over,
    takeTimes() {
      const taken = times;
      times = [];
      return taken;
    },
  };
}
