import type { ModelCard } from "../../catalog/model-card.ts";
import type { JsonObject } from "../../protocol/openai/fields.ts";
import { codexModel } from "../../protocol/responses/codex-model.ts";
import type { ListedModel } from "../../routing/models-list.ts";

/** The card of a model by the id it is listed under; undefined where the router decides. */
export type CardOf = (listed: ListedModel) => ModelCard | undefined;

/** Entries of `models` for Codex, which then knows window, images and efforts of what it may choose. */
export function codexModels(listed: readonly ListedModel[], cardOf: CardOf): JsonObject[] {
  return listed.map((model, priority) => {
    const card = cardOf(model);
    return codexModel(model.id, {
      display_name: model.id,
      base_instructions: INSTRUCTIONS,
      context_window: card?.window_tokens ?? null,
      efforts: card?.capabilities.reasoning === true ? EFFORTS : [],
      takes_images: card?.capabilities.vision === true,
      priority,
    });
  });
}

const EFFORTS = ["low", "medium", "high"];

/** In place of Codex's own, which it has only for the models it knows. */
const INSTRUCTIONS = `You are a coding agent that works in the user's terminal, on the files of the current
directory. You act through the tools you are given and keep going until the task is done.

Before you change anything, look: read the files that matter, search for how things are done there,
and follow the instructions of AGENTS.md files within their directories. Prefer \`rg\` for searching.

When you change code:
- Solve the cause, not the symptom, and change nothing that the task does not need.
- Keep to the style, names and libraries that the project has.
- Use \`apply_patch\` to edit files where you have it.
- Never undo or overwrite work that is not yours, and do not commit unless you are asked to.
- Run the project's own tests, linters or builds on what you changed, as far as the sandbox allows,
  and fix what you broke.

Commands run in a sandbox that may refuse them. If one is refused, say what you need and why instead
of working around it. Ask before anything that destroys data or reaches beyond the task.

For work of several steps keep a short plan and update it as you go. Tell the user in a sentence what
you are about to do before longer work. At the end say briefly what you changed, in which files, how
you checked it, and what is left open. Answer questions directly; write plain text that reads well in
a terminal, and name files by their path.`;
