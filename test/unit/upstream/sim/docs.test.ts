import { expect, test } from "bun:test";

import { GATE, MODELS, type SimulatedModel, TIMING } from "../../../../src/upstream/sim/models.ts";
import {
  domain,
  type ParamDefinition,
  type ParamDefinitions,
} from "../../../../src/upstream/sim/params.ts";

const page = await Bun.file("docs/simulator.md").text();

function row(name: string, definition: ParamDefinition): string {
  const value = definition.default;
  const shown = value === null ? "none" : `\`${value}\``;
  return `| \`${name}\` | ${shown} | ${domain(definition)} | ${definition.description} |`;
}

const rows = (params: ParamDefinitions) =>
  Object.entries(params).map(([name, definition]) => row(name, definition));

/** The rows of the first table after `heading`. */
function documented(heading: string): string[] {
  const [, section = ""] = page.split(`\n${heading}\n`);
  const [own = ""] = section.split(/\n##/);
  return own
    .split("\n")
    .filter((line) => line.startsWith("| `"))
    .map((line) => line.replaceAll(/ +/g, " "));
}

const isDefault = (name: string, definition: ParamDefinition) =>
  [TIMING, GATE].some((shared) => shared[name]?.default === definition.default);

const models = Object.entries<SimulatedModel>(MODELS).map(([name, model]) => ({ name, model }));

test("the params of every model are documented as they are", () => {
  expect(documented("### Timing")).toEqual(rows(TIMING));
  expect(documented("### Which calls fail")).toEqual(rows(GATE));
});

test.each(models)("$name and its params are documented as they are", ({ name, model }) => {
  const own = Object.entries(model.params).filter(([param, value]) => !isDefault(param, value));

  expect(documented(`### ${name}`)).toEqual(own.map(([param, value]) => row(param, value)));
  expect(page).toContain(`\n### ${name}\n\n${model.summary}`);
  expect(page.split(`\n### ${name}\n`)[1]?.split("\n##")[0]).toContain(
    `Endpoints: ${model.endpoints.join(", ")}.`,
  );
});

test("no model is documented that does not exist", () => {
  const headings = [...page.matchAll(/^### ([a-z0-9]+)$/gm)].map(([, name]) => name);

  expect(headings).toEqual(Object.keys(MODELS));
});
