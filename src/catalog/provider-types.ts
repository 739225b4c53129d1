import { HOST_TYPES } from "./host-types.ts";
import { LOCAL_TYPES } from "./local-types.ts";
import type { ProviderType } from "./provider-type.ts";
import { VENDOR_TYPES } from "./vendor-types.ts";

/** Every provider type the router knows. Credentials in the environment are looked up in this order. */
export const PROVIDER_TYPES: readonly ProviderType[] = [
  ...VENDOR_TYPES,
  ...HOST_TYPES,
  ...LOCAL_TYPES,
];

const BY_ID: ReadonlyMap<string, ProviderType> = new Map(
  PROVIDER_TYPES.map((type) => [type.id, type]),
);

/** The provider type called `id` in any case; undefined if there is none. */
export function providerType(id: string): ProviderType | undefined {
  return BY_ID.get(id.toLowerCase());
}
