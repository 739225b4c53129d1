import { expect, test } from "bun:test";

import type { SuspensionInForce } from "../../../../src/canary/ladder/in-force.ts";
import { createSuspensionBoard } from "../../../../src/control/canary/suspension-board.ts";
import type { Exclusion } from "../../../../src/health/exclusions.ts";
import { suspensionsOf } from "../../../../src/health/suspensions.ts";
import { instanceOf } from "../../../support/canary/instances.ts";

const NOW = 1_764_460_800_000;
const target = { instance: "gw", model: "a/m", params: {} };

const suspension = (changes: Partial<SuspensionInForce> = {}): SuspensionInForce => ({
  endpoint: "gw:a/m@one",
  instance: "gw",
  model: "a/m",
  host: "one",
  detail: "ttft: too_slow",
  until_at: NOW + 10,
  ...changes,
});

const exclusion = (subject: string, until_at: number | null = null): Exclusion => ({
  id: subject,
  scope: "target",
  subject,
  reason: "test",
  source: "operator",
  created_at: NOW,
  until_at,
});

function boardOf(exclusions: readonly Exclusion[] = []) {
  const time = { now: NOW };
  const board = createSuspensionBoard({
    clock: { now: () => time.now },
    exclusions: { list: () => exclusions },
  });
  return { board, time };
}

test("a host is shut while its suspension lasts, and a target that is its own endpoint is benched", () => {
  const { board, time } = boardOf();
  const own = suspension({ endpoint: "nim:m", instance: "nim", model: "m", host: null });
  board.put([suspension(), own]);
  const gateway = instanceOf("gw", { type: "openrouter" });
  const nim = { instance: "nim", model: "m" };

  const before = board.hosts(gateway, target);
  const benched = suspensionsOf(nim, board.targets(), NOW);
  time.now += 10;

  expect(before).toEqual({ excluded: [], suspended: ["one"] });
  expect(benched).toEqual([{ detail: own.detail, until_at: own.until_at }]);
  expect(board.hosts(gateway, target)).toEqual({ excluded: [], suspended: [] });
  expect(suspensionsOf(nim, board.targets(), time.now)).toEqual([]);
  expect(board.list()).toEqual([]);
});

test("an exclusion of an endpoint shuts its host with the canary off, whatever the instance's case", () => {
  const { board } = boardOf([
    exclusion("GW:a/m@x/fp8"),
    exclusion("gw:a/m@y", NOW),
    exclusion("gw@z"),
  ]);

  expect(board.hosts(instanceOf("gw", { type: "openrouter" }), target)).toEqual({
    excluded: ["x/fp8"],
    suspended: [],
  });
});

test("hosts mean nothing to an instance that has none", () => {
  const { board } = boardOf([exclusion("gw:a/m@x")]);
  board.put([suspension()]);

  expect(board.hosts(instanceOf("gw", { type: "openai" }), target)).toEqual({
    excluded: [],
    suspended: [],
  });
});
