import { afterAll, describe, expect, test } from "bun:test";

import { startSdkFleet } from "../support/sdk-fleet.ts";
import { SDKS } from "../support/sdk.ts";
import { until } from "../support/until.ts";

const instance = (name: string, more = "") =>
  `[providers.${name}]\ntype = "sim"\nbase_url = "http://${name}.sim.invalid/v1"\n${more}\n`;
const pool = (name: string, target: string) =>
  `[pools.${name}]\naffinity = "none"\ntargets = ["${target}", "good:echo"]\n`;

const fleet = await startSdkFleet(
  [
    instance("good"),
    instance("ill"),
    instance("passing"),
    instance("mangler"),
    instance("broken", 'first_token_timeout = "200ms"\nresponse_timeout = "200ms"'),
    pool("ill", "ill:empty?rate=0.35&seed=5"),
    pool("passing", "passing:empty?times=5"),
    pool("mangled", "mangler:mojibake"),
    pool("stalled", "broken:stall?form=first_token"),
    pool("error-event", "broken:error200"),
    pool("page", "broken:badjson?form=html"),
    '[profiles.careful]\npool = "mangled"\nhold_back = true\n',
    '[verifier]\nbench = "1s"\n',
  ].join("\n"),
);
afterAll(() => fleet[Symbol.asyncDispose]());

const [sdk] = SDKS.slice(-1);
if (sdk === undefined) throw new Error("no SDK");
const { completions } = fleet.client(sdk).chat;

let prompts = 0;
/** Asks for something new; what was said in return, with what the router echoes for a sound answer. */
async function ask(model: string, stream: boolean): Promise<{ said: string; sound: string }> {
  const content = `question ${prompts++}`;
  const messages = [{ role: "user" as const, content }];
  if (!stream) {
    const { choices } = await completions.create({ model, messages });
    return { said: choices[0]?.message.content ?? "", sound: content };
  }
  let said = "";
  for await (const chunk of await completions.create({ model, messages, stream: true })) {
    said += chunk.choices[0]?.delta.content ?? "";
  }
  return { said, sound: content };
}

interface Breaker {
  readonly subject: string;
  readonly scope: string;
  readonly cause: string;
}

async function breakersOf(name: string): Promise<readonly Breaker[]> {
  const { items }: { items: readonly Breaker[] } = JSON.parse(
    await fleet.admin("/admin/v1/breakers"),
  );
  return items.filter(({ subject }) => subject.split(":", 1)[0] === name);
}

test("a target of which 35 % is empty trips within some twenty calls, and no client sees an empty answer", async () => {
  let calls = 0;
  const answers = [];
  while ((await breakersOf("ill")).length === 0 && calls < 60) {
    answers.push(await ask("pool:ill", calls++ % 2 === 1));
  }

  expect(answers.filter(({ said, sound }) => said !== sound)).toEqual([]);
  expect(calls).toBeLessThanOrEqual(35);
  expect(await breakersOf("ill")).toMatchObject([
    { scope: "target", subject: "ill:empty", cause: "signature:empty_200" },
  ]);
  expect(await breakersOf("good")).toEqual([]);
  expect((await ask("ill:echo", false)).said).toBe(`question ${prompts - 1}`);
  await expectStoryTold();
});

/** Decisions and the explanation tell of the rescue, and why the target is left out since. */
async function expectStoryTold(): Promise<void> {
  const { items }: { items: { served: string; attempts: { kind: string; target: string }[] }[] } =
    JSON.parse(await fleet.admin("/admin/v1/decisions?limit=100"));
  const plan = await fleet.admin("/v1/explain/routing");

  expect(
    items.find(
      ({ attempts }) =>
        attempts[0]?.kind === "malformed_empty" && attempts[0].target === "ill:empty",
    ),
  ).toMatchObject({
    served: "good:echo",
    attempts: [
      {
        target: "ill:empty",
        kind: "malformed_empty",
        verification: { signature: "empty_200", model_attributable: 1, trips: true },
      },
      { target: "good:echo", kind: "ok", verification: { verdict: "ok" } },
    ],
  });
  expect(JSON.parse(plan).breakers).toContainEqual(
    expect.objectContaining({ subject: "ill:empty", cause: "signature:empty_200" }),
  );
}

test("a target whose fault is over comes back by itself", async () => {
  const seen = new Set<string>();
  const answers = [];
  for (let n = 0; n < 5; n++) answers.push(await ask("pool:passing", false));
  const tripped = await breakersOf("passing");
  await until(async () => {
    const { said, sound } = await ask("pool:passing", seen.size % 2 === 0);
    seen.add(said);
    if (said !== sound) throw new Error("a client saw it");
    return (await breakersOf("passing")).length === 0;
  });

  expect(tripped).toMatchObject([{ subject: "passing:empty", cause: "signature:empty_200" }]);
  expect(answers.filter(({ said, sound }) => said !== sound)).toEqual([]);
  await ask("pool:passing", false);
  expect(await fleet.latestDecision()).toMatchObject({ served: "passing:empty", degraded: false });
});

test("a provider that breaks the encoding trips as a whole, and no client whose streams are held back sees it", async () => {
  const answers = [];
  for (let n = 0; n < 6; n++) answers.push(await ask("profile:careful", n % 2 === 1));

  expect(answers.filter(({ said, sound }) => said !== sound)).toEqual([]);
  expect(await breakersOf("mangler")).toMatchObject([
    { scope: "provider", subject: "mangler", cause: "signature:mojibake" },
  ]);
  expect(await breakersOf("good")).toEqual([]);
});

describe.each([
  { name: "a stall before the first token", model: "pool:stalled" },
  { name: "an error as the first event, or as the answer", model: "pool:error-event" },
  { name: "a page with status 200", model: "pool:page" },
])("$name", ({ model }) => {
  test.each([{ stream: false }, { stream: true }])(
    "is not seen by a client, stream: $stream",
    async ({ stream }) => {
      const { said, sound } = await ask(model, stream);

      expect(said).toBe(sound);
    },
  );
});
