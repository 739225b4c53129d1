import { expect, test } from "bun:test";

import * as fc from "fast-check";

import { isObject, type JsonObject, objectOf } from "../../../../src/protocol/openai/fields.ts";
import {
  applyChanges,
  type Change,
  changeAt,
  changedObject,
  createChange,
} from "../../../../src/protocol/shaping/changes.ts";
import { sourceOf, textOf } from "./shaped.ts";

function changed(text: string, make: (change: Change) => void): string {
  const change = createChange();
  make(change);
  return textOf(applyChanges(sourceOf(text), change));
}

test.each([
  {
    name: "a member is set where it stands, in every copy",
    text: '{ "a" : 1.0 ,"b":[],"a":2}',
    make: ({ set }: Change) => void set.set("a", "x"),
    left: '{ "a" : "x" ,"b":[],"a":"x"}',
  },
  {
    name: "a removed one goes with its comma",
    text: '{"a":1e2, "b": 2 }',
    make: ({ remove }: Change) => void remove.add("b"),
    left: '{"a":1e2 }',
  },
  {
    name: "a renamed one keeps the spelling of its value",
    text: '{"seed": 12345678901234567890 , "x":1.50}',
    make: ({ rename }: Change) => void rename.set("seed", "random_seed"),
    left: '{"random_seed": 12345678901234567890 , "x":1.50}',
  },
  {
    name: "places in lists and below are found",
    text: '{"m":[{"r":"a"},\n {"c":[{"t":1,"k":2}],"r":"b"}]}',
    make: (change: Change) => {
      changeAt(change, ["m", 1]).set.set("r", "c");
      changeAt(change, ["m", 1, "c", 0]).remove.add("k");
    },
    left: '{"m":[{"r":"a"},\n {"c":[{"t":1}],"r":"c"}]}',
  },
  {
    name: "what is set as a whole wins over what changes within",
    text: '{"c":[{"k":1}],"d":{"k":1}}',
    make: (change: Change) => {
      changeAt(change, ["c", 0]).remove.add("k");
      changeAt(change, ["d"]).remove.add("k");
      change.set.set("c", "text");
      change.remove.add("d");
    },
    left: '{"c":"text"}',
  },
  {
    name: "what is not there is passed over",
    text: '{"a":1}',
    make: (change: Change) => {
      changeAt(change, ["m", 3, "x"]).remove.add("k");
      changeAt(change, ["a", "b"]).set.set("k", 1);
      change.rename.set("z", "y");
    },
    left: '{"a":1}',
  },
  {
    name: "a key in escapes is the key a parser reads",
    text: '{"\\u0061":1}',
    make: ({ rename }: Change) => void rename.set("a", "b"),
    left: '{"b":1}',
  },
])("$name", ({ text, make, left }) => {
  expect(changed(text, make)).toBe(left);
});

test("a body that nothing changes in is the same one", () => {
  const source = sourceOf('{"a":1}');
  const change = createChange();
  changeAt(change, ["messages", 0]);

  expect(applyChanges(source, change)).toBe(source);
});

const key = fc.constantFrom("a", "b", "role", "tool_calls", '"\\', "é😀", "constructor");

const json = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom(null, true, "", "text", 'q"}{[', "😀", -0.5, 1e21),
    tie("list"),
    tie("object"),
  ),
  list: fc.array(tie("value"), { maxLength: 3 }),
  object: fc.dictionary(key, tie("value"), { maxKeys: 4, noNullPrototype: true }),
})).object;

/** A change that sets, removes and renames somewhere below, as the draws say. */
function drawChange(value: unknown, next: () => number): Change {
  const change = createChange();
  if (Array.isArray(value)) {
    for (const [at, entry] of value.entries()) change.within.set(at, drawChange(entry, next));
    return change;
  }
  if (!isObject(value)) return change;
  for (const [name, member] of Object.entries(value)) {
    const draw = next() % 6;
    if (draw === 0) change.set.set(name, { new: name });
    if (draw === 1) change.remove.add(name);
    if (draw === 2) change.rename.set(name, `${name}-renamed`);
    change.within.set(name, drawChange(member, next));
  }
  if (next() % 3 === 0) change.set.set("added", [1]);
  return change;
}

test("whatever changes, a parser reads what was meant", () => {
  const property = fc.property(
    json,
    fc.infiniteStream(fc.nat()),
    fc.nat(2),
    (body, draws, space) => {
      const value = objectOf(body);
      const change = drawChange(value, () => draws.next().value ?? 0);
      const left = textOf(applyChanges(sourceOf(JSON.stringify(value, null, space)), change));

      expect(JSON.parse(left)).toEqual(JSON.parse(JSON.stringify(changedObject(value, change))));
    },
  );

  fc.assert(property);
});

const wrapped = (members: readonly string[]) =>
  `{"messages":[ {${members.join(" ,")}} ],"end":1.0 }`;

test("what no change touches stays byte for byte", () => {
  const odd = fc.constantFrom("1.0", "1e400", '"\\u0041"', "[ 1 ,2]", '{"k":1,"k":2}', "-0");
  const property = fc.property(fc.array(odd, { maxLength: 5 }), fc.nat(5), (values, at) => {
    const pieces = values.map((value, index) => `"k${index}" :  ${value}`);
    const change = createChange();
    changeAt(change, ["messages", 0]).rename.set(`k${at}`, "renamed");
    const renamed = pieces.map((piece) => piece.replace(`"k${at}"`, '"renamed"'));

    expect(textOf(applyChanges(sourceOf(wrapped(pieces)), change))).toBe(wrapped(renamed));
  });

  fc.assert(property);
});

test("the scan of a changed body is that of its text", () => {
  const change = createChange();
  change.set.set("b", 2);
  const source: JsonObject = { ...applyChanges(sourceOf(' {"a":1}'), change) };

  expect(source).toEqual({ ...sourceOf(' {"b":2,"a":1}') });
});
