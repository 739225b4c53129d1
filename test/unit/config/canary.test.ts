import { describe, expect, test } from "bun:test";

import { configOf, problemsOf, warningsOf } from "./load.ts";

const FLEET = `[providers.nim]
base_url = "http://127.0.0.1:8000/v1"
type = "openai-compatible"
[pools.main]
targets = ["nim:m"]
`;

const ENABLED = 'enabled = true\nmodels = ["pool:main"]\nmax_usd_per_day = 5000\n';

describe("[canary]", () => {
  test("is off and only observes unless the file says otherwise", () => {
    const { enabled, mode, models, interval } = configOf("").canary;

    expect({ enabled, mode, models, interval }).toEqual({
      enabled: false,
      mode: "observe",
      models: [],
      interval: "30m",
    });
  });

  test.each<{ text: string; problem: string }>([
    { text: 'mode = "enforced"', problem: "did you mean `enforce`?" },
    { text: 'models = ["pool:mian"]', problem: "did you mean `main`?" },
    { text: 'models = ["nmi:m"]', problem: "did you mean `nim`?" },
    { text: 'models = ["nim"]', problem: "names no model" },
    { text: 'locales = ["xx"]', problem: "there are no prompts in `xx`" },
    { text: "locales = []", problem: "no language is left to ask in" },
    { text: 'controls = ["nowhere:m@h"]', problem: "which is no instance" },
    { text: 'controls = ["nim"]', problem: "names no endpoint" },
    { text: 'interval = "10s"', problem: "is shorter than a minute" },
    { text: "budget = 1", problem: "unknown key" },
  ])("is told about $text, also while it is off", ({ text, problem }) => {
    expect(problemsOf(`${FLEET}[canary]\n${text}\n`).join("\n")).toContain(problem);
  });

  test("cannot be enabled without something to watch and a limit, and names both", () => {
    expect(problemsOf(`${FLEET}[canary]\nenabled = true\n`)).toEqual([
      expect.stringContaining("canary.models: is missing; name what to watch"),
      expect.stringContaining("canary.max_usd_per_day: is missing; say how much a day may cost"),
    ]);
  });

  test("says what a day would cost where the limit is missing", () => {
    const text = `${FLEET}[canary]\nenabled = true\nmodels = ["openai:gpt-5-mini"]\n`;

    expect(problemsOf(text).join("\n")).toMatch(
      /1 target cost some \$\d+\.\d\d, at most \$\d+\.\d\d/,
    );
  });

  test("warns of a limit below what a day usually costs", () => {
    const text = `${FLEET}[canary]\n${ENABLED.replace("5000", "0.01")}`;

    expect(warningsOf(text).join("\n")).toMatch(/\$0\.01 is less than the \$\d+\.\d\d that a day/);
  });

  test("takes what is right, and lets the mode be changed at run time", () => {
    const { canary } = configOf(`${FLEET}[canary]\n${ENABLED}`, {
      overrides: { "canary.mode": '"enforce"' },
    });

    expect(canary).toMatchObject({ enabled: true, mode: "enforce", max_usd_per_day: 5000 });
  });
});
