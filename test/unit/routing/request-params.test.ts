import { expect, test } from "bun:test";

import { aWorld, routeFor } from "./a-world.ts";

const UNREAD = "`veriroute.complexity` has no effect: no lane is configured that reads it";

test.each<{ block: object; body?: object; effort?: string; notes?: string[] }>([
  { block: { effort: "high" }, effort: "high" },
  { block: { effort: "none" }, effort: "none" },
  { block: { complexity: "max" }, effort: "max" },
  { block: { complexity: "hairy" }, effort: "low", notes: [UNREAD] },
  { block: { complexity: "hairy", effort: "high" }, effort: "high", notes: [UNREAD] },
  {
    block: { complexity: "max", effort: "high" },
    effort: "high",
    notes: ["`veriroute.complexity` is ignored: `veriroute.effort` comes first"],
  },
  {
    block: { complexity: "max" },
    body: { reasoning_effort: "minimal" },
    notes: ["`veriroute.complexity` is ignored: the request's own effort comes first"],
  },
  {
    block: { effort: "high" },
    body: { effort: "minimal" },
    notes: ["`veriroute.effort` is ignored: the request's own effort comes first"],
  },
])(
  "a block asks for an effort, below the call and above a spec (case %#)",
  ({ block, body = {}, effort, notes = [] }) => {
    const plan = routeFor("sim:echo?effort=low", aWorld(), { block, body: { ...body } });

    const [candidate] = plan.candidates;
    expect({ effort: candidate?.member.params["effort"], notes: plan.notes }).toEqual({
      effort,
      notes,
    });
  },
);

test.each([
  { spec: "max_completion_tokens=500&top_p=1", body: { max_tokens: 50 }, sent: { top_p: 1 } },
  { spec: "max_tokens=500", body: { max_completion_tokens: 50 }, sent: {} },
  { spec: "effort=low", body: { reasoning_effort: "high" }, sent: {} },
  { spec: "effort=low", body: { messages: [] }, sent: { effort: "low" } },
])("a spec's $spec does not stand beside what the call says otherwise", ({ spec, body, sent }) => {
  const plan = routeFor(`sim:echo?${spec}`, aWorld(), { body });

  expect(plan.candidates[0]?.member.params).toEqual(sent);
});
