import { expect, test } from "bun:test";

import * as fc from "fast-check";

import { callFrame, chunkFrame, DONE, readStream } from "./read-stream.ts";

interface Row {
  readonly name: string;
  /** The tool calls of one delta each, as JSON text. */
  readonly sent: readonly (readonly string[])[];
  /** What the client gets instead; undefined where nothing changes. */
  readonly got?: readonly (readonly string[])[];
}

const HEALTHY: Row[] = [
  {
    name: "a call in fragments",
    sent: [
      ['{"index":0,"id":"a","type":"function","function":{"name":"f","arguments":""}}'],
      ['{"index":0,"function":{"arguments":"{\\"x\\""}}'],
      ['{"index":0,"function":{"arguments":":1}"}}'],
    ],
  },
  {
    name: "a whole call in one delta",
    sent: [['{"index":0,"id":"a","type":"function","function":{"name":"f","arguments":"{}"}}']],
  },
  {
    name: "parallel calls in one delta, then in turns",
    sent: [
      [
        '{"index":0,"id":"a","type":"function","function":{"name":"f","arguments":""}}',
        '{"index":1,"id":"b","type":"function","function":{"name":"f","arguments":""}}',
      ],
      ['{"index":1,"function":{"arguments":"{"}}'],
      ['{"index":0,"function":{"arguments":"{"}}'],
      ['{"index":1,"function":{"arguments":"}"}}', '{"index":0,"function":{"arguments":"}"}}'],
    ],
  },
  {
    name: "a custom call with free text",
    sent: [
      ['{"index":0,"id":"a","type":"custom","custom":{"name":"f","input":"{"}}'],
      ['{"index":0,"custom":{"input":" not json"}}'],
    ],
  },
  {
    name: "members nobody knows",
    sent: [
      [
        '{"index":0,"id":"a","type":"function","function":{"name":"f","arguments":"{}"},"extra_content":{"google":{"thought_signature":"s=="}}}',
      ],
    ],
  },
];

const REPAIRED: Row[] = [
  {
    name: "a missing index, and a continuation with empty id and type",
    sent: [
      ['{"id":"c1","type":"function","function":{"name":"save","arguments":"{\\"k\\":"}}'],
      ['{"id":"","type":"","function":{"arguments":"1}"}}'],
    ],
    got: [
      [
        '{"index":0,"id":"c1","type":"function","function":{"name":"save","arguments":"{\\"k\\":"}}',
      ],
      ['{"index":0,"function":{"arguments":"1}"}}'],
    ],
  },
  {
    name: "an index that is text, null or negative",
    sent: [
      ['{"index":"0","id":"a","type":"function","function":{"name":"f","arguments":"{"}}'],
      ['{"index":null,"function":{"arguments":" "}}'],
      ['{"index":-1,"function":{"arguments":"}"}}'],
    ],
    got: [
      ['{"index":0,"id":"a","type":"function","function":{"name":"f","arguments":"{"}}'],
      ['{"index":0,"function":{"arguments":" "}}'],
      ['{"index":0,"function":{"arguments":"}"}}'],
    ],
  },
  {
    name: "an id and a name repeated on each fragment",
    sent: [
      ['{"index":0,"id":"a","type":"function","function":{"name":"f","arguments":""}}'],
      ['{"index":0,"id":"a","type":"function","function":{"name":"f","arguments":"{\\"x\\":"}}'],
      ['{"index":0,"id":"a","type":"function","function":{"name":"f","arguments":"1}"}}'],
    ],
    got: [
      ['{"index":0,"id":"a","type":"function","function":{"name":"f","arguments":""}}'],
      ['{"index":0,"type":"function","function":{"arguments":"{\\"x\\":"}}'],
      ['{"index":0,"type":"function","function":{"arguments":"1}"}}'],
    ],
  },
  {
    name: "index 0 for all parallel calls, each with its own id",
    sent: [
      ['{"index":0,"id":"a","type":"function","function":{"name":"f","arguments":"{}"}}'],
      ['{"index":0,"id":"b","type":"function","function":{"name":"f","arguments":"{\\"n\\":"}}'],
      ['{"index":0,"function":{"arguments":"2}"}}'],
      ['{"index":0,"id":"c","type":"function","function":{"name":"g","arguments":"{}"}}'],
    ],
    got: [
      ['{"index":0,"id":"a","type":"function","function":{"name":"f","arguments":"{}"}}'],
      ['{"index":1,"id":"b","type":"function","function":{"name":"f","arguments":"{\\"n\\":"}}'],
      ['{"index":1,"function":{"arguments":"2}"}}'],
      ['{"index":2,"id":"c","type":"function","function":{"name":"g","arguments":"{}"}}'],
    ],
  },
  {
    name: "index 0 for all parallel calls of one delta, without ids",
    sent: [
      [
        '{"index":0,"function":{"name":"f","arguments":"{\\"u\\":1}"}}',
        '{"index":0,"function":{"name":"g","arguments":"{\\"u\\":2}"}}',
      ],
    ],
    got: [
      [
        '{"id":"new-1","type":"function","index":0,"function":{"name":"f","arguments":"{\\"u\\":1}"}}',
        '{"id":"new-2","type":"function","index":1,"function":{"name":"g","arguments":"{\\"u\\":2}"}}',
      ],
    ],
  },
  {
    name: "two calls of the same function without ids, the second after the first is complete",
    sent: [
      ['{"index":0,"function":{"name":"f","arguments":"{\\"u\\":1}"}}'],
      ['{"index":0,"function":{"name":"f","arguments":"{\\"u\\":2}"}}'],
    ],
    got: [
      [
        '{"id":"new-1","type":"function","index":0,"function":{"name":"f","arguments":"{\\"u\\":1}"}}',
      ],
      [
        '{"id":"new-2","type":"function","index":1,"function":{"name":"f","arguments":"{\\"u\\":2}"}}',
      ],
    ],
  },
  {
    name: "an id made up for every fragment",
    sent: [
      ['{"index":0,"id":"r1","type":"function","function":{"name":"f","arguments":"{"}}'],
      ['{"index":0,"id":"r2","type":"function","function":{"arguments":"\\"x\\":"}}'],
      ['{"id":"r3","type":"function","function":{"name":"f","arguments":"1}"}}'],
    ],
    got: [
      ['{"index":0,"id":"r1","type":"function","function":{"name":"f","arguments":"{"}}'],
      ['{"index":0,"type":"function","function":{"arguments":"\\"x\\":"}}'],
      ['{"index":0,"type":"function","function":{"arguments":"1}"}}'],
    ],
  },
  {
    name: "one id for several calls",
    sent: [
      ['{"index":0,"id":"a","type":"function","function":{"name":"f","arguments":"{}"}}'],
      ['{"index":1,"id":"a","type":"function","function":{"name":"g","arguments":"{}"}}'],
    ],
    got: [
      ['{"index":0,"id":"a","type":"function","function":{"name":"f","arguments":"{}"}}'],
      ['{"index":1,"id":"new-1","type":"function","function":{"name":"g","arguments":"{}"}}'],
    ],
  },
  {
    name: "calls without parameters that share index 0",
    sent: [
      ['{"index":0,"id":"a","type":"function","function":{"name":"f","arguments":""}}'],
      ['{"index":0,"id":"b","type":"function","function":{"name":"g","arguments":""}}'],
    ],
    got: [
      ['{"index":0,"id":"a","type":"function","function":{"name":"f","arguments":""}}'],
      ['{"index":1,"id":"b","type":"function","function":{"name":"g","arguments":""}}'],
    ],
  },
  {
    name: "calls without parameters, ids or indexes",
    sent: [
      ['{"function":{"name":"f","arguments":""}}'],
      ['{"function":{"name":"g","arguments":""}}'],
    ],
    got: [
      ['{"index":0,"id":"new-1","type":"function","function":{"name":"f","arguments":""}}'],
      ['{"index":1,"id":"new-2","type":"function","function":{"name":"g","arguments":""}}'],
    ],
  },
  {
    name: "null for arguments",
    sent: [['{"index":0,"id":"a","type":"function","function":{"name":"f","arguments":null}}']],
    got: [['{"index":0,"id":"a","type":"function","function":{"name":"f","arguments":""}}']],
  },
  {
    name: "an object for arguments, with numbers no double holds",
    sent: [
      [
        '{"index":0,"id":"a","type":"function","function":{"name":"f","arguments":{"n":9007199254740993, "x":1.0}}}',
      ],
    ],
    got: [
      [
        '{"index":0,"id":"a","type":"function","function":{"name":"f","arguments":"{\\"n\\":9007199254740993, \\"x\\":1.0}"}}',
      ],
    ],
  },
  {
    name: "neither id nor type",
    sent: [
      ['{"index":0,"function":{"name":"f","arguments":""}}'],
      ['{"index":0,"function":{"arguments":"{}"}}'],
    ],
    got: [
      ['{"id":"new-1","type":"function","index":0,"function":{"name":"f","arguments":""}}'],
      ['{"index":0,"function":{"arguments":"{}"}}'],
    ],
  },
];

test.each(HEALTHY)("$name passes byte for byte", ({ sent }) => {
  const text = sent.map((calls) => callFrame(...calls)).join("");

  const { out, edits } = readStream(text);

  expect({ out, edits }).toEqual({ out: text, edits: [] });
});

test.each(REPAIRED)("$name: clients get calls they can read", ({ sent, got }) => {
  const { out, edits } = readStream(sent.map((calls) => callFrame(...calls)).join(""));

  const frames = got ?? [];
  expect(out).toBe(frames.map((calls) => callFrame(...calls)).join(""));
  expect(edits).toEqual(["tool_call"]);
});

test("a repair changes nothing else of its frame", () => {
  const frame = [
    ": note",
    "id: 7",
    'data:{ "choices" : [ {"index":0, "delta":{ "tool_calls":[ {"id":"a","type":"function","function":{ "name":"f" , "arguments": null }} ] }, "x":1.0 } ] , "big":9007199254740993, "a":1, "a":2 }',
    "",
    "",
  ].join("\r\n");

  const { out } = readStream(frame);

  expect(out).toBe(
    frame
      .replace('{"id":"a"', '{"index":0,"id":"a"')
      .replace('"arguments": null', '"arguments": ""'),
  );
});

const choiceText = (index: number, text: string) =>
  `{"index":${index},"delta":{"tool_calls":[${text}]}}`;

const twoChoices = (text: string) =>
  `data: {"choices":[${choiceText(0, text)},${choiceText(1, text)}]}\n\n`;

test("each choice has calls of its own", () => {
  const call = '{"id":"a","type":"function","function":{"name":"f","arguments":"{}"}}';
  const { out } = readStream(twoChoices(call));

  expect(out).toBe(twoChoices(call.replace("{", '{"index":0,')));
});

interface Call {
  readonly name: string;
  readonly pieces: readonly string[];
}

const calls = fc.array(
  fc.record({
    name: fc.constantFrom("f", "g"),
    pieces: fc
      .tuple(fc.object({ maxDepth: 1 }), fc.array(fc.nat(40), { maxLength: 3 }))
      .map(([value, cuts]) => {
        const text = JSON.stringify(value);
        const ends = [
          ...cuts.map((cut) => cut % (text.length + 1)).toSorted((a, b) => a - b),
          text.length,
        ];
        return ends.map((end, at) => text.slice(ends[at - 1] ?? 0, end));
      }),
  }),
  { minLength: 1, maxLength: 4 },
);

/** The same calls as a vendor tells them that leaves out or repeats what it likes. */
function told(list: readonly Call[], habit: "no_index" | "index_0" | "no_ids" | "repeats"): string {
  return list
    .flatMap(({ name, pieces }, index) =>
      pieces.map((text, at) => {
        const isFirst = at === 0 || habit === "repeats";
        return callFrame(
          JSON.stringify({
            ...(habit !== "no_index" && { index: habit === "repeats" ? index : 0 }),
            ...(isFirst && habit !== "no_ids" && { id: `id-${index}` }),
            type: "function",
            function: { ...(isFirst && { name }), arguments: text },
          }),
        );
      }),
    )
    .join("");
}

test.each([
  { name: "without index", habit: "no_index" as const },
  { name: "with index 0 for all", habit: "index_0" as const },
  { name: "without ids, with index 0 for all", habit: "no_ids" as const },
  { name: "with id and name on every fragment", habit: "repeats" as const },
])("any parallel calls told $name can be put together by index", ({ habit }) => {
  fc.assert(
    fc.property(calls, (list) => {
      // Nothing tells a second call from a piece of the first while the first has no text yet.
      const tellable = list.filter(({ pieces }) => pieces[0] !== "");

      const { out } = readStream(told(tellable, habit));

      expect(collect(out)).toEqual(
        tellable.map(({ name, pieces }) => ({ name, text: pieces.join("") })),
      );
    }),
  );
});

/** As SDKs do: by index, id and name once, arguments concatenated. */
function collect(out: string) {
  const found = new Map<number, { name: string; text: string }>();
  const ids = new Set<string>();
  for (const line of out.split("\n").filter((text) => text !== "")) {
    for (const call of JSON.parse(line.slice("data: ".length)).choices[0].delta.tool_calls) {
      const known = found.get(call.index);
      if (known) {
        expect(call).not.toHaveProperty("id");
        known.text += call.function.arguments;
      } else {
        expect(ids.has(call.id)).toBe(false);
        ids.add(call.id);
        found.set(call.index, { name: call.function.name, text: call.function.arguments });
      }
    }
  }
  return [...found.values()];
}

test.each([
  { name: "complete calls", text: "{}", reason: "stop", finish: "tool_calls" },
  { name: "complete calls, told so", text: "{}", reason: "tool_calls", finish: "tool_calls" },
  { name: "a call without parameters", text: "", reason: "stop", finish: "tool_calls" },
  { name: "a call that broke off", text: "{", reason: "stop", finish: "stop" },
  { name: "a call that the limit cut", text: "{", reason: "length", finish: "length" },
  { name: "complete calls and the limit", text: "{}", reason: "length", finish: "length" },
])("after $name, `$reason` reads $finish", ({ text, reason, finish }) => {
  const call = JSON.stringify({
    index: 0,
    id: "a",
    type: "function",
    function: { name: "f", arguments: text },
  });

  const { out } = readStream(callFrame(call) + chunkFrame({}, reason) + DONE);

  expect(out).toBe(callFrame(call) + chunkFrame({}, finish) + DONE);
});

test("`[DONE]` after a call that broke off ends the answer as cut, so that nobody runs it", () => {
  const call =
    '{"index":0,"id":"a","type":"function","function":{"name":"f","arguments":"{\\"x\\""}}';

  expect(readStream(callFrame(call) + DONE).out).toContain('"finish_reason":"length"');
  expect(readStream(callFrame(call.replace('{\\"x\\"', "{}")) + DONE).out).toContain(
    '"finish_reason":"tool_calls"',
  );
});
