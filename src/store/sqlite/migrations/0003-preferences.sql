-- Profiles made through the admin API, as the JSON that a config file would hold as TOML.
CREATE TABLE profile (
  name TEXT PRIMARY KEY NOT NULL,
  value TEXT NOT NULL CHECK (json_valid(value))
) STRICT, WITHOUT ROWID;

CREATE TABLE allowlist (
  target TEXT PRIMARY KEY NOT NULL
) STRICT, WITHOUT ROWID;

ALTER TABLE api_key ADD COLUMN profile TEXT;
