import { isObject } from "../../protocol/openai/fields.ts";
import { readFromServer } from "../server/server-call.ts";
import type { Shell } from "../terminal/shell.ts";

/** What a client must know of the router. */
export interface RouterFacts {
  /** Without a slash at its end. */
  readonly url: string;
  readonly needs_key: boolean;
  /** Names that are accepted as a model, `auto` first. */
  readonly models: readonly string[];
}

export type RouterAnswer =
  | { readonly ok: true; readonly facts: RouterFacts }
  | { readonly ok: false; readonly problem: string };

/** More would make a client's config unreadable, and its list of models with it. */
const MAX_MODELS = 200;
const ONLY_AUTO = ["auto"];

/** Asks the router for its models; one that wants a key and gets none still says that it does. */
export async function askRouter(url: string | undefined, shell: Shell): Promise<RouterAnswer> {
  const key = shell.env["VERIROUTE_KEY"] ?? shell.env["VERIROUTE_ADMIN_KEY"] ?? "";
  const open = await readFromServer({ path: "/v1/models", url, key: "" }, shell);
  if (open.kind === "unreachable") return { ok: false, problem: open.problem };
  const needs_key = open.status === 401;
  const listed =
    needs_key && key !== "" ? await readFromServer({ path: "/v1/models", url, key }, shell) : open;
  const models = listed.kind === "answered" && listed.status === 200 ? modelIds(listed.body) : [];
  return {
    ok: true,
    facts: { url: open.url, needs_key, models: models.length > 0 ? models : ONLY_AUTO },
  };
}

function modelIds(body: unknown): readonly string[] {
  const entries = isObject(body) && Array.isArray(body["data"]) ? body["data"] : [];
  const ids = entries.flatMap((entry) =>
    isObject(entry) && typeof entry["id"] === "string" ? [entry["id"]] : [],
  );
  return ids.slice(0, MAX_MODELS);
}
