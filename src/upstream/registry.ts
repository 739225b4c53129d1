import type { Instance, InstanceRegistry, Listing } from "./instance.ts";

const UNKNOWN: Listing = { state: "unknown", models: [], at: null };
const SOURCES = ["config", "runtime", "environment", "local", "builtin"] as const;

/**
 * The live list of instances. A name that occurs twice belongs to the earlier source: a local find
 * steps aside for a configured instance and is back when that one goes.
 */
export function createRegistry(): InstanceRegistry {
  let configured: readonly Instance[] = [];
  let added: readonly Instance[] = [];
  let visible: readonly Instance[] = [];
  let byName: ReadonlyMap<string, Instance> = new Map();
  const listings = new Map<string, { readonly instance: Instance; readonly listing: Listing }>();

  function settle() {
    const known = [...configured, ...added];
    const first = new Map<string, Instance>();
    for (const instance of SOURCES.flatMap((source) => known.filter((i) => i.source === source))) {
      const name = instance.name.toLowerCase();
      if (!first.has(name)) first.set(name, instance);
    }
    visible = [...first.values()];
    byName = first;
    for (const [name, kept] of listings) {
      const now = first.get(name);
      if (now === undefined || !servesTheSame(now, kept.instance)) listings.delete(name);
    }
  }

  // The head of a spec arrives case-folded, so names meet without regard to case.
  const find = (name: string) => byName.get(name.toLowerCase());

  return {
    list: () => visible,
    get: find,
    add(instance) {
      added = [...added.filter(({ name }) => name !== instance.name), instance];
      settle();
    },
    remove(name) {
      added = added.filter((instance) => instance.name !== name);
      settle();
    },
    replaceConfigured(instances) {
      configured = instances;
      added = added.filter(({ source }) => source === "local" || source === "runtime");
      settle();
    },
    listing: (name) => listings.get(name.toLowerCase())?.listing ?? UNKNOWN,
    setListing(name, listing) {
      const instance = find(name);
      // A listing that arrives after its instance went would speak for the next one of that name.
      if (instance !== undefined) listings.set(name.toLowerCase(), { instance, listing });
    },
  };
}

const servesTheSame = (a: Instance, b: Instance) =>
  a.base_url === b.base_url && a.credential === b.credential && a.type.id === b.type.id;
