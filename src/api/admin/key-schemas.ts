import { type Static, Type } from "@sinclair/typebox";

import type { StoredKey } from "../../store/store.ts";
import { closed, pageOf } from "./list.ts";

const Scope = Type.Union([Type.Literal("client"), Type.Literal("admin")], {
  expected: "it must be `client` or `admin`",
});

const KeyItem = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    scope: Scope,
    prefix: Type.String({ description: "First characters of the key, to recognise it by." }),
    created_at: Type.Integer(),
    revoked_at: Type.Union([Type.Integer(), Type.Null()]),
    profile: Type.Union([Type.String(), Type.Null()], {
      description: "Profile of its requests that name none.",
    }),
  },
  closed,
);

const KEY_EXAMPLE: Static<typeof KeyItem> = {
  id: "01995b6e-7c11-7000-8000-0d5a1f0c77aa",
  name: "laptop",
  scope: "client",
  prefix: "vr-7fK2q",
  created_at: 1_764_460_800_000,
  revoked_at: null,
  profile: null,
};

/** The key as it may be shown. */
export function itemOf({ hash: _hash, ...shown }: StoredKey): Static<typeof KeyItem> {
  return shown;
}

const ProfileName = Type.Union([Type.String({ minLength: 1 }), Type.Null()], {
  description: "Profile of its requests that name none.",
  expected: "it must be the name of a profile, or null for none",
});

export const KeyRequest = Type.Object(
  {
    name: Type.String({
      minLength: 1,
      maxLength: 128,
      pattern: "^[^\\u0000-\\u001f\\u007f]*$",
      description: "What it is for.",
      expected: "it must be a text of 1 to 128 characters without line breaks",
    }),
    scope: Scope,
    profile: Type.Optional(ProfileName),
  },
  closed,
);

export const KeyChange = Type.Object({ profile: ProfileName }, closed);

/** What the routes answer, for their documents. */
export const LISTED = {
  description: "Keys",
  schema: pageOf(KeyItem),
  example: { items: [KEY_EXAMPLE], next: null },
};

export const CREATED = {
  status: 201,
  description: "The key",
  schema: Type.Object(
    { id: Type.String(), key: Type.String(), name: Type.String(), scope: Scope },
    closed,
  ),
  example: { id: KEY_EXAMPLE.id, key: "vr-7fK2…", name: "laptop", scope: "client" },
};

export const CHANGED = {
  description: "The key as it is now",
  schema: KeyItem,
  example: { ...KEY_EXAMPLE, profile: "frugal" },
};

export const REVOKED = {
  description: "The revoked key",
  schema: Type.Object({ id: Type.String(), revoked_at: Type.Integer() }, closed),
  example: { id: KEY_EXAMPLE.id, revoked_at: 1_764_460_900_000 },
};
