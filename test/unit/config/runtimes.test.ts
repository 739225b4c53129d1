import { expect, test } from "bun:test";

import { configOf, problemsOf } from "./load.ts";

test("nothing is rented unless the config says so, and all has a limit", () => {
  expect(configOf("").runtimes).toEqual({
    enabled: false,
    names: [],
    max_idle: "45m",
    max_life: "4h",
    on_exit: "detach",
    liveness: "60s",
    heartbeat: "5m",
    heartbeat_ttl: "30m",
    assign_timeout: "180s",
    ready_timeout: "45m",
    rates: {},
    colab: { command: "colab", auth: "oauth2" },
  });
});

test.each<{ text: string; problem: string }>([
  { text: 'max_idle = "5h"', problem: "is longer than `runtimes.max_life`" },
  { text: 'heartbeat = "20m"', problem: "one lost heartbeat would release the machine" },
  { text: 'max_life = "0s"', problem: "max_life" },
  { text: "max_compute_units = 0", problem: "max_compute_units" },
  { text: 'on_exit = "leave"', problem: "one of `detach`, `release`" },
  { text: "rates.A10 = 2", problem: "unknown key" },
  { text: "rates.T4 = -2", problem: "a number from 0 to 1000" },
  { text: 'colab.auth = "oauth"', problem: "did you mean `oauth2`?" },
])("[runtimes] is told about $text", ({ text, problem }) => {
  expect(problemsOf(`[runtimes]\n${text}\n`).join("\n")).toContain(problem);
});

test("`liveness` may be 0, which is no default in disguise", () => {
  expect(configOf('[runtimes]\nliveness = "0s"\n').runtimes.liveness).toBe("0s");
});

test("a pool may name a runtime that does not run yet, if `runtimes.names` has it", () => {
  const pool = `[pools.main]\ntargets = ["gpu:qwen", "sim:echo"]\n`;

  const said = ["", `[runtimes]\nnames = ["gpu"]\n`].map((before) => problemsOf(before + pool));

  expect(said).toEqual([
    [
      "veriroute.toml:2:12: pools.main.targets.0: `gpu` is neither an instance nor a provider type; add `[providers.gpu]` with its `base_url`",
    ],
    [],
  ]);
});
