import { toStoreError } from "../store-error.ts";
import type { Batch, Call, CallName, FromWorker, Refusal, ToWorker } from "../worker-messages.ts";
import { type BatchResult, rowsIn } from "./batch-writer.ts";
import { checkFile } from "./recovery.ts";
import { openServed, type Served } from "./serving.ts";

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
  /** What is wrong with the file; null if nothing is. */
  checked(damage: string | null): void;
}

/** The worker's side of the store: messages in, one after another, messages out. */
export function createSession(post: Post): (message: ToWorker) => void {
  let session: OpenSession | undefined;
  let tail: Promise<void> = Promise.resolve();
  const receive = async (message: ToWorker) => {
    switch (message.kind) {
      case "open":
        session = open(message, post);
        return;
      case "check":
        return post(check(message.path));
      case "checked":
        return session?.checked(message.damage);
      case "write":
        return session?.write(message.batch);
      case "call":
        return session?.answer(message.id, message.call);
    }
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
    return serve(openServed({ path, now, post }), post);
  } catch (error) {
    post({ kind: "not_opened", refusal: refusalOf(error, `cannot open \`${path}\``) });
    return undefined;
  }
}

function check(path: string): FromWorker {
  try {
    return { kind: "checked", damage: checkFile(path) };
  } catch (error) {
    return { kind: "not_checked", refusal: refusalOf(error, `cannot check \`${path}\``) };
  }
}

function refusalOf(error: unknown, what: string): Refusal {
  const { kind, message } = toStoreError(error, what);
  return { kind, message };
}

function serve(served: Served, post: Post): OpenSession {
  const answerCall = async (id: number, call: Call): Promise<void> => {
    const serving = served.current();
    const { trouble, answers, upkeep } = serving;
    try {
      const damage = trouble.isDamaged() && !READS.has(call.name) ? trouble.current() : null;
      if (damage) throw damage;
      const value = await answers(call);
      if (call.name === "prune") trouble.watch(serving.tellSize);
      if (CHANGES_STATE.has(call.name)) upkeep.refresh();
      post({ kind: "gave", id, value });
    } catch (error) {
      const failure = toStoreError(error, `\`${call.name}\` failed`);
      // Replaced by us now, or by another call while this one took its time.
      if (served.isRepaired(failure) || served.current() !== serving) return answerCall(id, call);
      if (failure.kind === "damaged") trouble.set(failure);
      post({ kind: "refused", id, refusal: refusalOf(failure, "") });
    }
  };
  const writeBatch = async (batch: Batch): Promise<BatchResult> => {
    const serving = served.current();
    const result = serving.trouble.isDamaged()
      ? { dropped: rowsIn(batch), trouble: serving.trouble.current() }
      : await serving.writeBatch(batch);
    const isFresh = served.isRepaired(result.trouble) || served.current() !== serving;
    return isFresh && result.trouble !== null ? writeBatch(batch) : result;
  };
  const { upkeep, problem, size, isChecked } = served.current();
  const unchecked = !isChecked();
  post({ kind: "opened", state: upkeep.state, size_bytes: size(), problem, unchecked });
  return {
    async write(batch) {
      const { dropped, trouble } = await writeBatch(batch);
      const serving = served.current();
      serving.trouble.set(trouble);
      post({ kind: "written", dropped });
      serving.trouble.watch(serving.tellSize);
    },
    answer(id, call) {
      if (call.name === "close") served.current().upkeep.stop();
      void answerCall(id, call);
    },
    checked: (damage) => served.checked(damage),
  };
}
