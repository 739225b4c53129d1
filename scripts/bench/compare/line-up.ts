import {
  bare,
  type Contestant,
  type Ground,
  nginx,
  portkey,
  PORTKEY_BUN,
  PORTKEY_NODE,
  ROUTER,
  router,
  VERIFIER_OFF,
} from "./contestants.ts";
import type { Pieces } from "./pieces.ts";
import type { Settings } from "./settings.ts";
import { buildVariant, METRICS_OFF, STORE_OFF } from "./variants.ts";

interface LineUp {
  readonly pieces: Pieces;
  readonly settings: Settings;
  readonly ground: Ground;
}

/** All that take part, in the order of the tables. */
export function lineUp({ pieces, settings, ground }: LineUp): Contestant[] {
  const { binary } = settings;
  return [
    router({ name: ROUTER, binary }, ground),
    ...(settings.variants ? variants(settings, ground) : []),
    bare(ground),
    ...(pieces.nginx === null ? [] : [nginx(pieces.nginx, ground)]),
    ...portkeys(pieces, ground),
  ];
}

/** The router without one part: by its config where that can switch it off, else by a build of its own. */
function variants({ binary, scratch }: Settings, ground: Ground): Contestant[] {
  const without = [
    router({ name: `${ROUTER}, verifier off`, binary, config: VERIFIER_OFF }, ground),
    router({ name: `${ROUTER}, log off`, binary, env: { VERIROUTE_LOG_LEVEL: "warn" } }, ground),
  ];
  for (const variant of [STORE_OFF, METRICS_OFF]) {
    console.log(`building a binary with the ${variant.name}`);
    const silenced = buildVariant(variant, scratch);
    without.push(router({ name: `${ROUTER}, ${variant.name}`, binary: silenced }, ground));
  }
  return without;
}

/** Portkey runs under Node, which it is made for, and under Bun, which may be the faster. */
function portkeys({ portkey: script }: Pieces, ground: Ground): Contestant[] {
  if (script === null) return [];
  const node = Bun.which("node");
  if (node === null) console.log("skip: portkey under node: install Node.js");
  return [
    ...(node === null ? [] : [portkey({ name: PORTKEY_NODE, script, runtime: node }, ground)]),
    portkey({ name: PORTKEY_BUN, script, runtime: process.execPath }, ground),
  ];
}
