import { expect, test } from "bun:test";

import { runtimeSettings, settingsObstacle } from "../../../../src/runtimes/policy/settings.ts";
import { upObstacle, type UpRequest } from "../../../../src/runtimes/policy/up.ts";
import { unknownModel } from "../../../../src/sizing/model-facts.ts";
import { configOf } from "../../config/load.ts";
import { estimateOf, knownModel, LLAMA_70B, quantOf, QWEN_SMALL } from "../../sizing/models.ts";

const settingsOf = (text: string) => runtimeSettings(configOf(`[runtimes]\n${text}\n`));
const ON = "enabled = true";

function request(changes: Partial<UpRequest> = {}): UpRequest {
  return {
    settings: settingsOf(ON),
    name: "qwen",
    confirmed: true,
    supervised: true,
    gated: false,
    has_token: false,
    estimate: estimateOf(knownModel(QWEN_SMALL)),
    ...changes,
  };
}

test("the settings are the config in numbers", () => {
  expect(settingsOf(`${ON}\nmax_compute_units = 2.5\nrates.H100 = 20`)).toEqual({
    enabled: true,
    max_idle_ms: 2_700_000,
    max_life_ms: 14_400_000,
    max_compute_units: 2.5,
    on_exit: "detach",
    liveness_ms: 60_000,
    heartbeat_ms: 300_000,
    heartbeat_ttl_ms: 1_800_000,
    assign_timeout_ms: 180_000,
    ready_timeout_ms: 2_700_000,
    hf_token: null,
    rates: { T4: undefined, L4: undefined, A100: undefined, G4: undefined, H100: 20 },
    cpu_rate: null,
    colab: { command: "colab", auth: "oauth2" },
  });
});

test("a runtime that fits, is watched and was agreed to may be rented", () => {
  expect(upObstacle(request())).toBeNull();
  expect(settingsObstacle(settingsOf(ON))).toBeNull();
});

test.each<{ what: string; change: Partial<UpRequest>; says: string }>([
  { what: "nothing is enabled", change: { settings: settingsOf("") }, says: "`enabled = true`" },
  {
    what: "liveness is 0",
    change: { settings: settingsOf(`${ON}\nliveness = "0s"`) },
    says: "`runtimes.liveness` is 0",
  },
  { what: "the name has a slash", change: { name: "a/b" }, says: "`a/b` is no name" },
  {
    what: "nothing holds it",
    change: { estimate: estimateOf(knownModel(LLAMA_70B)) },
    says: "--quant awq",
  },
  {
    what: "its size is a guess",
    change: { estimate: estimateOf(unknownModel("org/mystery")) },
    says: "nothing says how large",
  },
  {
    what: "the repository lacks such weights",
    change: { estimate: estimateOf(knownModel(QWEN_SMALL), { quant: quantOf("awq") }) },
    says: "does not hold awq weights",
  },
  { what: "it is gated and there is no token", change: { gated: true }, says: "`HF_TOKEN`" },
  {
    what: "its limit cannot be kept",
    change: {
      settings: settingsOf(`${ON}\nmax_compute_units = 5`),
      estimate: estimateOf(knownModel(QWEN_SMALL), { gpu: "H100" }),
    },
    says: "`runtimes.rates.H100`",
  },
  { what: "nobody watches", change: { supervised: false }, says: "veriroute serve" },
  { what: "nobody said yes", change: { confirmed: false }, says: "`--yes`" },
])("nothing is rented where $what", ({ change, says }) => {
  expect(upObstacle(request(change))).toContain(says);
});
