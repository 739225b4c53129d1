import { quote } from "../address/spec-fault.ts";
import type { Destination } from "./destination.ts";
import type { Member } from "./member.ts";
import type { Reason } from "./plan.ts";
import type { Scene } from "./world.ts";

/** Every reason why a member may not serve this request, by layer. */
export function judge(destination: Destination, scene: Scene): readonly Member[] {
  const [first] = destination.members;
  const pinned = destination.pool === null;
  return destination.members.map((member) => ({
    ...member,
    reasons: distinct([
      ...member.reasons,
      ...dialectReasons(member, scene),
      ...(scene.dialect === "embeddings" && first !== undefined
        ? embeddingReasons(member, first)
        : []),
      ...problemReasons(member),
      ...(member.instance === null ? [] : scene.world.eligibility(member.target, pinned)),
    ]),
  }));
}

function distinct(reasons: readonly Reason[]): Reason[] {
  const seen = new Set<string>();
  return reasons
    .filter(({ layer, code }) => {
      const key = `${layer} ${code}`;
      return !seen.has(key) && seen.add(key);
    })
    .toSorted((a, b) => a.layer - b.layer);
}

function dialectReasons({ instance }: Member, { dialect }: Scene): Reason[] {
  if (instance === null || instance.type.paths[dialect] !== null) return [];
  const detail = `${instance.type.name} has no endpoint for ${dialect}`;
  return [{ layer: 0, code: "dialect_unsupported", detail, until_at: null }];
}

/** Vectors of different models cannot be compared, so the first declared member fixes the model. */
function embeddingReasons({ target }: Member, first: Member): Reason[] {
  const wanted = withoutVendor(first.target.model);
  if (withoutVendor(target.model) === wanted) return [];
  const detail = `its vectors could not be compared with those of ${quote(wanted)}`;
  return [{ layer: 0, code: "embedding_model_differs", detail, until_at: null }];
}

/** `openai/text-embedding-3-small` and `accounts/x/models/y` without what stands before the last slash. */
function withoutVendor(model: string): string {
  return model.slice(model.lastIndexOf("/") + 1).toLowerCase();
}

function problemReasons({ instance }: Member): Reason[] {
  const problem = instance?.problem ?? null;
  if (problem === null) return [];
  return [{ layer: 4, code: problem.code, detail: problem.message, until_at: null }];
}
