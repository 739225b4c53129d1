import type { Probe } from "../../../canary/probes/probe.ts";
import type { Failure } from "../../../health/failure.ts";
import { createChatLessons } from "../../../relay/chat-lessons.ts";
import type { Instance } from "../../../upstream/instance.ts";
import type { Learned, PreparedProbe } from "./prepare.ts";

/** A probe that was turned down, as it was sent. */
export interface Refused {
  readonly wire: PreparedProbe["wire"];
  readonly body: Uint8Array;
  readonly failure: Failure;
}

const NO_TOOLS: ReadonlySet<string> = new Set();

/** What refusals taught of instances and their models, as clients' requests learn it; gone with the instance. */
export function createLessons() {
  const lessons = createChatLessons();
  const usageless = new WeakSet<Instance>();
  return {
    on: (instance: Instance, model: string): Learned => ({
      lesson: lessons.on(instance, model),
      tells_usage: !usageless.has(instance),
    }),
    /** Whether the next try will be put otherwise. */
    learn({ endpoint, stream }: Probe, instance: Instance, refused: Refused): boolean {
      const { wire, body, failure } = refused;
      if (stream && !usageless.has(instance) && isAboutUsage(failure)) {
        usageless.add(instance);
        return true;
      }
      const target = { instance: instance.name, model: endpoint.model, params: {} };
      const run = { sent: { wire, body, custom_tools: NO_TOOLS } };
      return lessons.learn(failure, { run, instance, target, pinned: false });
    },
  };
}

function isAboutUsage({ status, message, param }: Failure): boolean {
  const isRefusal = status === 400 || status === 422;
  return isRefusal && `${param} ${message}`.includes("stream_options");
}
