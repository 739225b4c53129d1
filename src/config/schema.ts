import { type Static, type TSchema, Type } from "@sinclair/typebox";

import { CanarySection } from "./schema-canary.ts";
import { BalancesSection, CatalogSection } from "./schema-catalog.ts";
import { BreakerSection, CooldownsSection } from "./schema-health.ts";
import { closed } from "./schema-kinds.ts";
import { Provider } from "./schema-providers.ts";
import { LogSection, StoreSection } from "./schema-records.ts";
import { AllowlistSection, Pool, Profile, Routing } from "./schema-routing.ts";
import { RuntimesSection } from "./schema-runtimes.ts";
import { Server } from "./schema-server.ts";
import { Notification, VerifierSection } from "./schema-verifier.ts";

const INSTANCE_NAME = "^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$";
const named = <T extends TSchema>(schema: T, description: string, pattern = INSTANCE_NAME) =>
  Type.Record(Type.String({ pattern }), schema, { default: {}, description });

/** The config file, one to one. Types, validation and docs/configuration.md come from here. */
export const Config = Type.Object(
  {
    server: Server,
    providers: named(Provider, "Instances: configured providers, by the name spec strings use."),
    pools: named(Pool, "Interchangeable targets, by the name clients ask for as `pool:name`."),
    aliases: Type.Record(Type.String(), Type.String({ minLength: 1 }), {
      default: {},
      description: "Exact names or `prefix*`, each standing for a pool, a spec or a model name.",
      examples: [{ "claude-haiku-*": "pool:main" }],
    }),
    profiles: named(
      Profile,
      "Bundles of preferences, by the name that a client asks for as `profile:name`, or that a key has.",
    ),
    allowlist: AllowlistSection,
    routing: Routing,
    breaker: BreakerSection,
    cooldowns: CooldownsSection,
    exclusions: Type.Record(Type.String(), Type.String({ minLength: 1 }), {
      default: {},
      description:
        "Instances and targets never to be used, each with the reason that `explain` shows. Exclusions for a time are made with `POST /admin/v1/exclusions`.",
      examples: [
        {
          nim: "is being rebuilt",
          "openrouter:z-ai/glm-5.3-flash": "answers in the wrong language",
        },
      ],
    }),
    verifier: VerifierSection,
    canary: CanarySection,
    notifications: named(
      Notification,
      "Who is told when something is benched, comes back, or goes wrong in other ways. The log is told always.",
    ),
    catalog: CatalogSection,
    balances: BalancesSection,
    runtimes: RuntimesSection,
    store: StoreSection,
    log: LogSection,
  },
  closed,
);
export type Config = Static<typeof Config>;
