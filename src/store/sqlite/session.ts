import type { Database } from "bun:sqlite";

import { toStoreError } from "../store-error.ts";
import type { StoredState } from "../store.ts";
import type { Batch, Call, CallName, FromWorker, Refusal, ToWorker } from "../worker-messages.ts";
import { createAnswers } from "./answers.ts";
import { createBatchWriter, rowsIn } from "./batch-writer.ts";
import { databaseSize } from "./database.ts";
import { createDecisionTable } from "./decisions.ts";
import { openOrReplace } from "./recovery.ts";
import { createTrouble } from "./trouble.ts";
import { startUpkeep } from "./upkeep.ts";

/** Calls that are answered from a damaged file as far as it can be read. */
const READS: ReadonlySet<CallName> = new Set([
  "list_decisions",
  "get_decision",
  "list_audit",
  "list_verifications",
  "count_mangled",
  "list_trips",
  "list_tallies",
  "load_canary",
  "list_canary_rounds",
  "list_canary_probes",
  "list_suspensions",
  "observed_suspensions",
  "close",
]);
const CHANGES_STATE: ReadonlySet<CallName> = new Set([
  "add_key",
  "revoke_key",
  "set_key_profile",
  "set_override",
  "delete_override",
  "set_profile",
  "delete_profile",
  "add_allowed",
  "remove_allowed",
  "add_exclusion",
  "remove_exclusion",
  "add_mute",
  "remove_mute",
]);

type Post = (message: FromWorker) => void;

interface OpenSession {
  write(batch: Batch): Promise<void>;
  /** Returns before a long call is done: what follows does not wait for it. */
  answer(id: number, call: Call): void;
}

/** The worker's side of the store: messages in, one after another, messages out. */
export function createSession(post: Post): (message: ToWorker) => void {
  let session: OpenSession | undefined;
  let tail: Promise<void> = Promise.resolve();
  const receive = async (message: ToWorker) => {
    if (message.kind === "open") session = open(message, post);
    else if (message.kind === "write") await session?.write(message.batch);
    else session?.answer(message.id, message.call);
  };
  return (message) => {
    tail = tail.then(() => receive(message));
  };
}

function open(
  { path, now }: { readonly path: string; readonly now: number },
  post: Post,
): OpenSession | undefined {
  try {
    const { db, problem } = openOrReplace(path, now);
    return serve({ db, path, post, problem });
  } catch (error) {
    post({ kind: "not_opened", refusal: refusalOf(error, `cannot open \`${path}\``) });
    return undefined;
  }
}

function refusalOf(error: unknown, what: string): Refusal {
  const { kind, message } = toStoreError(error, what);
  return { kind, message };
}

interface ServeDependencies {
  readonly db: Database;
  readonly path: string;
  readonly post: Post;
  readonly problem: string | null;
}

function serve({ db, path, post, problem }: ServeDependencies): OpenSession {
  const decisions = createDecisionTable(db);
  const trouble = createTrouble(path, (refusal) => post({ kind: "trouble", refusal }));
  const tellState = (state: StoredState) => post({ kind: "state", state });
  const upkeep = startUpkeep({ db, decisions, trouble, tellState });
  const writeBatch = createBatchWriter({ db, decisions, pause: Bun.sleep });
  const answers = createAnswers({ db, decisions, pause: Bun.sleep, isDamaged: trouble.isDamaged });
  let { size_bytes } = databaseSize(db);
  const tellSize = () => {
    const before = size_bytes;
    ({ size_bytes } = databaseSize(db));
    if (size_bytes !== before) post({ kind: "size", size_bytes });
  };

  const answerCall = async (id: number, call: Call) => {
    try {
      const damage = trouble.isDamaged() && !READS.has(call.name) ? trouble.current() : null;
      if (damage) throw damage;
      const value = await answers(call);
      if (call.name === "prune") trouble.watch(tellSize);
      if (CHANGES_STATE.has(call.name)) upkeep.refresh();
      post({ kind: "gave", id, value });
    } catch (error) {
      const failure = toStoreError(error, `\`${call.name}\` failed`);
      if (failure.kind === "damaged") trouble.set(failure);
      post({ kind: "refused", id, refusal: refusalOf(failure, "") });
    }
  };
  post({ kind: "opened", state: upkeep.state, size_bytes, problem });
  return {
    async write(batch) {
      const rows = rowsIn(batch);
      const result = trouble.isDamaged()
        ? { dropped: rows, trouble: trouble.current() }
        : await writeBatch(batch);
      trouble.set(result.trouble);
      post({ kind: "written", dropped: result.dropped });
      trouble.watch(tellSize);
    },
    answer(id, call) {
      if (call.name === "close") upkeep.stop();
      void answerCall(id, call);
    },
  };
}
