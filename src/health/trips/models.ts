import type { Evidence } from "./observation.ts";
import type { Tally } from "./tally.ts";

type Models = Tally["models"];

/** An answer within this time makes a model one that the instance serves now. */
const WINDOW_MS = 60 * 60_000;
const MAX_MODELS = 32;

/** The models of an instance after one of them answered. */
export function noteModel(models: Models, model: string, evidence: Evidence, now: number): Models {
  let bad_at = evidence.kind === "bad" ? now : null;
  const noted: Models[number][] = [];
  for (const one of models) {
    if (one.model === model) bad_at ??= one.bad_at;
    else if (now - one.at <= WINDOW_MS) noted.push(one);
  }
  noted.push({ model, at: now, bad_at });
  return noted.length > MAX_MODELS ? noted.slice(-MAX_MODELS) : noted;
}

/** How many models an instance serves, and how many of them gave bad answers lately. */
export function servedModels(models: Models, now: number) {
  const served = models.filter(({ at }) => now - at <= WINDOW_MS);
  const bad = served.filter(({ bad_at }) => bad_at !== null && now - bad_at <= WINDOW_MS);
  return { served: served.length, bad: bad.length };
}
