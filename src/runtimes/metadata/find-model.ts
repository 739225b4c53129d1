import { resolve } from "node:path";

import { withBundledFacts } from "../../sizing/bundled-models.ts";
import { type ModelFacts, unknownModel } from "../../sizing/model-facts.ts";
import { askHub, type HubDependencies } from "./hub.ts";
import { isLocalPath, readLocalModel } from "./local-model.ts";
import type { StoredModel, StoredPlan, StoredPlans } from "./stored-plans.ts";

export interface FindModelRequest extends HubDependencies {
  /** A repository of the Hub, or a path to a `config.json` or its folder. */
  readonly repo: string;
  readonly cwd: string;
  /** What has come up from here; null where that is not to be looked at. */
  readonly stored: Pick<StoredPlans, "read"> | null;
}

export type FoundModel =
  | {
      readonly ok: true;
      readonly facts: ModelFacts;
      /** Plans of it that have come up, newest first. */
      readonly plans: readonly StoredPlan[];
    }
  | { readonly ok: false; readonly problem: string };

/** `name` or `org/name`, as the Hub allows them; nothing that would be another path. */
const REPO = /^(?!.*(?:\.\.|--))[A-Za-z0-9][\w.-]{0,95}(?:\/[A-Za-z0-9][\w.-]{0,95})?$/;

/** What can be known of a model: from the Hub, from this machine, else from its last start, the bundled table or its name. */
export async function findModel(request: FindModelRequest): Promise<FoundModel> {
  const { repo, cwd } = request;
  if (isLocalPath(repo)) {
    const local = await readLocalModel(resolve(cwd, repo));
    return local.ok ? { ...local, plans: [] } : local;
  }
  if (!REPO.test(repo)) {
    const problem = `\`${repo}\` is no repository; write it as \`org/name\`, or give a path that starts with \`./\``;
    return { ok: false, problem };
  }
  const [asked, stored] = await Promise.all([askHub(repo, request), request.stored?.read(repo)]);
  const plans = stored?.plans ?? [];
  if (asked.kind === "found") return { ok: true, facts: withBundledFacts(asked.facts), plans };
  if (asked.kind === "unreachable" && stored)
    return { ok: true, facts: asBefore(stored, asked.note), plans };
  const facts = withBundledFacts({ ...unknownModel(repo), notes: [asked.note] });
  if (asked.kind === "absent" && facts.params === null) return { ok: false, problem: asked.note };
  return { ok: true, facts, plans };
}

/** A start that is repeated gets the plan that has come up, whatever else is not to be had. */
function asBefore({ facts, plans }: StoredModel, note: string): ModelFacts {
  const [last] = plans;
  const day = last === undefined ? "before" : `on ${new Date(last.at).toISOString().slice(0, 10)}`;
  return {
    ...facts,
    notes: [note, `facts of revision ${facts.revision}, which came up from here ${day}`],
  };
}
