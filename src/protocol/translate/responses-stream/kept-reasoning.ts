import { isTooDeep } from "../../json/nesting.ts";
import { arrayOf, isObject, type JsonObject } from "../../openai/fields.ts";
import { joinDelta } from "../../openai/join-deltas.ts";
import { packReasoning } from "../../responses/packed-reasoning.ts";
import type { ResponseContext } from "../../responses/response-object.ts";

/** What has to come back with the next request, as far as the client sends such things back. */
export function createKept({ request }: ResponseContext) {
  const isWanted = arrayOf(request["include"]).includes("reasoning.encrypted_content");
  let details: readonly JsonObject[] = [];
  let calls = new Map<string, JsonObject>();

  return {
    addDetails(value: unknown): void {
      const added = arrayOf(value).filter(isObject);
      if (!isWanted || added.length === 0 || isTooDeep(added)) return;
      details = arrayOf(joinDelta("reasoning_details", [...details], added)).filter(isObject);
    },
    addExtra(call: string, extra: unknown): void {
      if (isWanted && isObject(extra) && !isTooDeep(extra)) calls.set(call, extra);
    },
    isOpen: (): boolean => details.length + calls.size > 0,
    seal(): string | undefined {
      const sealed = isWanted ? packReasoning({ details, calls }) : undefined;
      details = [];
      calls = new Map();
      return sealed;
    },
  };
}
