import { describeType } from "../../../src/catalog/describe-type.ts";
import { providerType } from "../../../src/catalog/provider-types.ts";
import type { Instance } from "../../../src/upstream/instance.ts";

interface Given extends Partial<Omit<Instance, "type">> {
  /** Id of its provider type; a plain mirror of OpenAI's API if left out. */
  readonly type?: string;
}

const PLAIN = describeType({ id: "openai-compatible", name: "a server", base_url: null }, {});
const NO_LIMIT = { connect_ms: 0, first_byte_ms: 0, first_token_ms: 0, response_ms: 0, idle_ms: 0 };

/** A usable instance, as the registry would hold it. */
export function instanceOf(name: string, { type: id, ...given }: Given = {}): Instance {
  return {
    name,
    type: (id === undefined ? undefined : providerType(id)) ?? PLAIN,
    base_url: "http://127.0.0.1:1/v1",
    credential: "test",
    source: "config",
    local: false,
    direct: true,
    headers: {},
    configured_models: null,
    default_model: null,
    timeouts: NO_LIMIT,
    problem: null,
    ...given,
  };
}
