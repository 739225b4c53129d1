import { readBlock } from "../address/block.ts";
import { sessionHash } from "../address/session.ts";
import { makePlan } from "../routing/make-plan.ts";
import type { Plan } from "../routing/plan.ts";
import type { ChatView } from "./chat-view.ts";
import type { ClientRequest, ExplainRequest } from "./client-request.ts";
import type { RelayDependencies } from "./dependencies.ts";

/** What a request asks for, as one plan. Changes nothing. */
export async function planRequest(
  dependencies: Pick<RelayDependencies, "registry" | "discovered" | "world" | "hashSession">,
  request: ExplainRequest,
  view: ChatView,
): Promise<Plan> {
  const { dialect, parsed, headers, key_profile } = request;
  const asked = askedModel(request);
  const read = readBlock(parsed["veriroute"]);
  if (read.kind === "problem") {
    const { message, param } = read;
    return { kind: "refuse", asked, code: "invalid_request", message, param };
  }
  const colon = asked.indexOf(":");
  const head = colon === -1 ? asked : asked.slice(0, colon);
  // A name without an instance may change its meaning with what discovery finds.
  if (!dependencies.registry.get(head)) await dependencies.discovered();
  return makePlan({
    model: asked,
    block: read.block,
    body: view.body,
    dialect,
    models: parsed["models"],
    untranslatable: (wire, model) => view.untranslatable(wire, model),
    session: sessionHash({ headers, body: parsed }, dependencies.hashSession),
    key_profile,
    world: dependencies.world(),
  });
}

export function askedModel({ parsed }: Pick<ClientRequest, "parsed">): string {
  return typeof parsed["model"] === "string" ? parsed["model"] : "";
}
