import type { EndpointState, Fleet } from "../../../canary/ladder/state.ts";

/** Counts up with each change of what a record holds. A fleet in another form is worked out from its rounds. */
export const FLEET_FORM = 1;

/** A fleet as JSON, to be kept beside the rounds that it follows from. */
export function fleetRecord({ endpoints, ...rest }: Fleet): string {
  return JSON.stringify({
    form: FLEET_FORM,
    fleet: { ...rest, endpoints: [...endpoints.values()] },
  });
}

interface Kept extends Omit<Fleet, "endpoints"> {
  readonly endpoints: readonly EndpointState[];
}

/** The inverse of `fleetRecord`, for what it made in the same form. */
export function readFleet(record: string): Fleet {
  const { fleet }: { readonly fleet: Kept } = JSON.parse(record);
  return { ...fleet, endpoints: new Map(fleet.endpoints.map((state) => [state.endpoint, state])) };
}
