import { resolve } from "node:path";

import { withBundledFacts } from "../../sizing/bundled-models.ts";
import { type ModelFacts, unknownModel } from "../../sizing/model-facts.ts";
import { askHub, type HubDependencies } from "./hub.ts";
import { isLocalPath, readLocalModel } from "./local-model.ts";

export interface FindModelRequest extends HubDependencies {
  /** A repository of the Hub, or a path to a `config.json` or its folder. */
  readonly repo: string;
  readonly cwd: string;
}

export type FoundModel =
  | { readonly ok: true; readonly facts: ModelFacts }
  | { readonly ok: false; readonly problem: string };

/** `name` or `org/name`, as the Hub allows them; nothing that would be another path. */
const REPO = /^(?!.*(?:\.\.|--))[A-Za-z0-9][\w.-]{0,95}(?:\/[A-Za-z0-9][\w.-]{0,95})?$/;

/** What can be known of a model: from the Hub, from this machine, else from the bundled table or its name. */
export async function findModel(request: FindModelRequest): Promise<FoundModel> {
  const { repo, cwd } = request;
  if (isLocalPath(repo)) return readLocalModel(resolve(cwd, repo));
  if (!REPO.test(repo)) {
    const problem = `\`${repo}\` is no repository; write it as \`org/name\`, or give a path that starts with \`./\``;
    return { ok: false, problem };
  }
  const asked = await askHub(repo, request);
  if (asked.kind === "found") return { ok: true, facts: withBundledFacts(asked.facts) };
  const facts = withBundledFacts({ ...unknownModel(repo), notes: [asked.note] });
  if (asked.kind === "absent" && facts.params === null) return { ok: false, problem: asked.note };
  return { ok: true, facts };
}
