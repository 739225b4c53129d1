import { describe, expect, test } from "bun:test";

import { assistant, call, chatCall, output, read, result } from "./conversation.ts";

describe("tools", () => {
  const { body, tools, lossy, refused } = read({
    tools: [
      {
        type: "function",
        name: "run",
        description: "d",
        parameters: { type: "object" },
        strict: true,
      },
      { type: "function", name: "bare", parameters: null, strict: null },
      {
        type: "custom",
        name: "apply_patch",
        format: { type: "grammar", syntax: "lark", definition: "start: x" },
      },
      { type: "namespace", name: "agents", tools: [{ type: "function", name: "spawn" }] },
      { type: "web_search" },
      { type: "tool_search" },
    ],
    tool_choice: "auto",
    parallel_tool_calls: true,
    input: [
      { ...call("a", "spawn"), namespace: "agents" },
      output("a"),
      { type: "custom_tool_call", call_id: "b", name: "apply_patch", input: "x" },
      { type: "custom_tool_call_output", call_id: "b", output: "done" },
    ],
  });

  test("are functions, whatever they were", () => {
    expect(body).toMatchObject({
      tool_choice: "auto",
      parallel_tool_calls: true,
      tools: [
        {
          type: "function",
          function: { name: "run", description: "d", parameters: { type: "object" }, strict: true },
        },
        {
          type: "function",
          function: { name: "bare", parameters: { type: "object", properties: {} } },
        },
        {
          type: "function",
          function: {
            name: "apply_patch",
            description: "`input` must match this lark grammar:\nstart: x",
            parameters: { required: ["input"] },
          },
        },
        { type: "function", function: { name: "agents__spawn" } },
      ],
    });
  });

  test("are called by those names in the history", () => {
    expect(body["messages"]).toEqual([
      assistant({ tool_calls: [chatCall("a", "agents__spawn")] }),
      result("a"),
      assistant({
        tool_calls: [
          {
            id: "b",
            type: "function",
            function: { name: "apply_patch", arguments: '{"input":"x"}' },
          },
        ],
      }),
      result("b", "done"),
    ]);
  });

  test("can be told apart when they are called", () => {
    expect([...tools]).toEqual([
      ["run", { kind: "function", name: "run", namespace: null }],
      ["bare", { kind: "function", name: "bare", namespace: null }],
      ["apply_patch", { kind: "custom", name: "apply_patch", namespace: null }],
      ["agents__spawn", { kind: "function", name: "spawn", namespace: "agents" }],
    ]);
  });

  test("of agents that a server would run are left out and told", () => {
    expect({ lossy, refused }).toEqual({
      lossy: ["tools.format", "tools.web_search", "tools.tool_search"],
      refused: [],
    });
  });
});

const namespace = (name: string, tool: string) => ({
  type: "namespace",
  name,
  tools: [{ type: "function", name: tool }],
});

test("tools whose flat names would be one stay two, within the length that vendors take", () => {
  const long = "n".repeat(70);

  const { tools } = read({
    tools: [
      namespace("a", "b__c"),
      namespace("a__b", "c"),
      namespace(long, "x"),
      namespace(long, "y"),
    ],
  });

  const names = [...tools.keys()];
  expect(names.slice(0, 2)).toEqual(["a__b__c", "a__b__c_2"]);
  expect(new Set(names).size).toBe(4);
  expect(names.every((name) => name.length <= 64)).toBe(true);
});

test.each([
  { name: "a forced function", choice: { type: "function", name: "run" }, names: ["run", "ns__f"] },
  {
    name: "one in a namespace",
    choice: { type: "function", name: "f", namespace: "ns" },
    names: ["run", "ns__f"],
  },
  {
    name: "some that are allowed",
    choice: { type: "allowed_tools", mode: "required", tools: [{ type: "function", name: "run" }] },
    names: ["run"],
  },
])("a choice of $name names what chat knows", ({ choice, names }) => {
  const { body, refused } = read({
    tools: [
      { type: "function", name: "run" },
      { type: "namespace", name: "ns", tools: [{ type: "function", name: "f" }] },
    ],
    tool_choice: choice,
  });

  const expected = {
    run: { type: "function", function: { name: "run" } },
    f: { type: "function", function: { name: "ns__f" } },
  };
  const chosen = choice.name === "f" ? expected.f : expected.run;
  expect(refused).toEqual([]);
  expect(body["tool_choice"]).toEqual(choice.type === "allowed_tools" ? "required" : chosen);
  expect(body["tools"]).toMatchObject(names.map((name) => ({ function: { name } })));
});

test("without a tool left there is no choice of tools", () => {
  const { body } = read({ tools: [{ type: "web_search" }], tool_choice: "auto" });

  expect(Object.keys(body).toSorted()).toEqual(["messages", "model"]);
});
