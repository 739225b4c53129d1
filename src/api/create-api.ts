import { Elysia } from "elysia";

import { allowlistRoutes } from "./admin/allowlist-routes.ts";
import { createAudit } from "./admin/audit.ts";
import { balanceRoutes } from "./admin/balance-routes.ts";
import { breakerRoutes } from "./admin/breaker-routes.ts";
import { canaryActions } from "./admin/canary-actions.ts";
import { canaryReports } from "./admin/canary-reports.ts";
import { canaryRoutes } from "./admin/canary-routes.ts";
import { catalogRoutes } from "./admin/catalog-routes.ts";
import { configRoutes } from "./admin/config-routes.ts";
import { decisionRoutes } from "./admin/decision-routes.ts";
import { exclusionRoutes } from "./admin/exclusion-routes.ts";
import { fleetRoutes } from "./admin/fleet-routes.ts";
import { keyRoutes } from "./admin/key-routes.ts";
import { maintenanceRoutes } from "./admin/maintenance-routes.ts";
import { muteRoutes } from "./admin/mute-routes.ts";
import { notificationRoutes } from "./admin/notification-routes.ts";
import { profileRoutes } from "./admin/profile-routes.ts";
import { runtimeActions } from "./admin/runtime-actions.ts";
import { runtimeRoutes } from "./admin/runtime-routes.ts";
import { tripRoutes } from "./admin/trip-routes.ts";
import { verificationRoutes } from "./admin/verification-routes.ts";
import { createAuthenticator } from "./auth.ts";
import { createClientRequests } from "./client/client-request.ts";
import { explainRoutes } from "./client/explain-routes.ts";
import { generationRoutes } from "./client/generation-routes.ts";
import { messagesRoutes } from "./client/messages-routes.ts";
import { modelsRoutes } from "./client/models-routes.ts";
import { responsesRoutes } from "./client/responses-routes.ts";
import { routingRoutes } from "./client/routing-routes.ts";
import type { ApiDependencies } from "./dependencies.ts";
import { errors } from "./errors.ts";
import { createFrontDoor } from "./front-door.ts";
import { createGuards } from "./guard.ts";
import { healthRoutes } from "./ops/health-routes.ts";
import { metricsRoutes } from "./ops/metrics-routes.ts";
import { swaggerRoutes } from "./ops/swagger-routes.ts";
import { createRequestIds } from "./request-ids.ts";
import type { KnownRoute } from "./unknown-route.ts";

/**
 * Every route of the router, not yet listening.
 */
export function createApi(dependencies: ApiDependencies) {
  const { clock, config, store, relay, instance_id, newId } = dependencies;
  const server = () => config.current().config.server;
  const auth = createAuthenticator({ server, state: () => store.state() });
  const requestIds = createRequestIds(newId);
  const guards = createGuards(auth);
  const audit = createAudit({ auth, clock, store });
  const requests = createClientRequests({ auth, config, relay, instance_id, requestIds });
  const frontDoor = createFrontDoor({ server, requestIds });
  const client = { ...dependencies, guard: guards.client };
  const routes: KnownRoute[] = [];
  const admin = { ...dependencies, guard: guards.admin, audit };

  const api = new Elysia(ROUTER_OPTIONS)
    // The framework calls this once per request, with the rest of itself.
    .wrap((next) => (request: Request) => frontDoor(request, next))
    .use(errors({ ...dependencies, requestIds, routes }))
    .use(generationRoutes({ guard: guards.client, ...requests }))
    .use(messagesRoutes({ guard: guards.client, ...requests }))
    .use(responsesRoutes({ guard: guards.client, ...requests }))
    .use(modelsRoutes(client))
    .use(explainRoutes({ ...client, auth }))
    .use(routingRoutes(client))
    .use(fleetRoutes(admin))
    .use(catalogRoutes(admin))
    .use(balanceRoutes(admin))
    .use(exclusionRoutes(admin))
    .use(breakerRoutes(admin))
    .use(tripRoutes(admin))
    .use(muteRoutes(admin))
    .use(canaryRoutes(admin))
    .use(canaryReports(admin))
    .use(canaryActions(admin))
    .use(verificationRoutes(admin))
    .use(notificationRoutes(admin))
    .use(decisionRoutes(admin))
    .use(configRoutes(admin))
    .use(profileRoutes(admin))
    .use(allowlistRoutes(admin))
    .use(keyRoutes(admin))
    .use(runtimeRoutes(admin))
    .use(runtimeActions(admin))
    .use(maintenanceRoutes(admin))
    .use(healthRoutes(dependencies))
    .use(metricsRoutes(admin))
    .use(swaggerRoutes(admin));
  routes.push(...api.routes);
  return api;
}

/**
 * One router for every request: with the system's own router a path could be matched in two ways.
 * A host may be shorter than the framework expects of one (`http://nas/`).
 */
const ROUTER_OPTIONS = { systemRouter: false, handler: { standardHostname: false } };
