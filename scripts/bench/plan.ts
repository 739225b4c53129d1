/** What a plan costs for a pool of 200 targets, under each strategy, beside copying the same list. */
import { makePlan } from "../../src/routing/make-plan.ts";
import { STRATEGIES } from "../../src/routing/strategies/strategy.ts";
import { createPlanWorld } from "./micro/plan-world.ts";

const FLEET = { instances: 20, models: 10 };
const ROUNDS = 3000;
/** What a plan of this size may take, in µs. */
const WANTED = 50;

const BODY = {
  messages: Array.from({ length: 20 }, () => ({ role: "user", content: "word ".repeat(200) })),
};

/** Median µs of a call. */
function measure(call: () => unknown): number {
  for (let n = 0; n < ROUNDS / 3; n++) call();
  const times = Array.from({ length: ROUNDS }, () => {
    const started = performance.now();
    call();
    return performance.now() - started;
  });
  return (times.toSorted((a, b) => a - b)[ROUNDS / 2] ?? 0) * 1000;
}

const fleets = [
  { fleet: "all healthy", world: createPlanWorld({ ...FLEET, benched_every: Infinity }) },
  { fleet: "a tenth benched", world: createPlanWorld({ ...FLEET, benched_every: 10 }) },
];
const plain = { block: {}, body: BODY, dialect: "chat", session: "s", key_profile: null } as const;

for (const { fleet, world } of fleets) {
  const plan = (name: string) => makePlan({ ...plain, model: `pool:${name}`, world: world() });
  const first = plan("priority");
  if (first.kind === "refuse") throw new Error(first.message);
  const { candidates } = first;
  const baseline = measure(() => candidates.map((candidate) => ({ ...candidate })));
  console.log(`${fleet}: copying ${candidates.length} candidates takes ${baseline.toFixed(1)} µs`);
  for (const name of Object.keys(STRATEGIES)) {
    const cost = measure(() => plan(name));
    const ratio = (cost / baseline).toFixed(1);
    const verdict = cost < WANTED ? "" : `  above the ${WANTED} µs wanted`;
    console.log(
      `  ${name.padEnd(15)} ${cost.toFixed(1).padStart(6)} µs ${ratio.padStart(5)}×${verdict}`,
    );
  }
}
