import type { JsonObject } from "../../protocol/openai/fields.ts";
import { createDraws } from "./draws.ts";
import { badParam, wrongEndpoint } from "./errors.ts";
import {
  type Endpoint,
  foreignParams,
  type ModelName,
  MODELS,
  type SimulatedModel,
} from "./models.ts";
import { type ParamValues, readParams } from "./params.ts";
import type { Read } from "./reading.ts";

/** A faulty model whose behaviour another model takes on, with that faulty model's params. */
export interface SimulatedFault {
  readonly model: ModelName;
  readonly params?: Readonly<Record<string, number | string>>;
}

interface Call {
  readonly instance: string;
  readonly endpoint: Endpoint;
  readonly model: ModelName;
  readonly body: JsonObject;
}

/** The model that plays a call, after faults and draws. */
export interface Role {
  readonly model: ModelName;
  readonly params: ParamValues;
}

export interface Director {
  /** Counts the call; a bad param or a model that does not serve the endpoint is a problem. */
  cast(call: Call): Read<Role>;
  /** Throws if the fault's params are not ones its model takes. */
  setFault(instance: string, model: ModelName, fault: SimulatedFault | null): void;
}

const modelOf = (name: ModelName): SimulatedModel => MODELS[name];

/** Decides for each call which model plays it: the one asked for, its fault, or its sound stand-in. */
export function createDirector(): Director {
  const draws = createDraws();
  const faults = new Map<string, SimulatedFault>();
  return {
    cast(call) {
      const asked = readRole(call);
      if (!asked.ok) return asked;
      const place = `${call.instance}:${call.model}`;
      const fault = faults.get(place);
      const role = faultRole(fault, call) ?? asked.value;
      if (!modelOf(role.model).faulty) return { ok: true, value: role };
      if (draws.next(`${place} ${role.model}`, role.params)) return { ok: true, value: role };
      return { ok: true, value: soundRole(asked.value, call.endpoint) };
    },
    setFault(instance, model, fault) {
      // Instances are told apart by host, and hosts have no upper case.
      const place = `${instance.toLowerCase()}:${model}`;
      const before = faults.get(place);
      if (before !== undefined) draws.forget(`${place} ${before.model}`);
      if (fault === null) {
        faults.delete(place);
        return;
      }
      checkFault(fault);
      faults.set(place, fault);
    },
  };
}

/** A fault is written by us, not by a client: a wrong one is a bug. */
function checkFault({ model, params = {} }: SimulatedFault): void {
  const known = modelOf(model).params;
  const unknown = Object.keys(params).find((param) => !Object.hasOwn(known, param));
  if (unknown !== undefined) throw new Error(`\`${unknown}\` is no parameter of \`${model}\``);
  const read = readParams(params, known);
  if (!read.ok) throw new Error(read.message);
}

function readRole({ model, endpoint, body }: Call): Read<Role> {
  const foreign = foreignParams(model).find((param) => Object.hasOwn(body, param));
  const own = modelOf(model).params;
  if (foreign !== undefined) {
    const takes = Object.keys(own).map((param) => `\`${param}\``);
    const message = `\`${foreign}\` is no parameter of the simulated model \`${model}\`, which takes ${takes.join(", ")}.`;
    return { ok: false, problem: badParam(message, foreign) };
  }
  const read = readParams(body, own);
  if (!read.ok) return { ok: false, problem: badParam(read.message, read.param) };
  const { endpoints } = modelOf(model);
  if (endpoints.includes(endpoint)) return { ok: true, value: { model, params: read.values } };
  return { ok: false, problem: wrongEndpoint(model, endpoints) };
}

/** Undefined without a fault, or where its model does not serve the endpoint. */
function faultRole(fault: SimulatedFault | undefined, { endpoint, body }: Call): Role | undefined {
  if (fault === undefined || !modelOf(fault.model).endpoints.includes(endpoint)) return undefined;
  const read = readParams({ ...body, ...fault.params }, modelOf(fault.model).params);
  return read.ok ? { model: fault.model, params: read.values } : undefined;
}

function soundRole(asked: Role, endpoint: Endpoint): Role {
  if (!modelOf(asked.model).faulty) return asked;
  return { model: endpoint === "embeddings" ? "embed" : "echo", params: asked.params };
}
