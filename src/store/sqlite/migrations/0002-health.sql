-- What operators shut out. One row per subject: a later exclusion replaces the earlier.
CREATE TABLE exclusion (
  id TEXT PRIMARY KEY NOT NULL,
  scope TEXT NOT NULL CHECK (scope IN ('provider', 'target')),
  subject TEXT NOT NULL UNIQUE,
  reason TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  until_at INTEGER
) STRICT;

-- Breakers that are open, so that a restart does not send traffic back to what is broken.
CREATE TABLE trip (
  scope TEXT NOT NULL CHECK (scope IN ('provider', 'target', 'endpoint')),
  subject TEXT NOT NULL,
  cause TEXT NOT NULL,
  detail TEXT NOT NULL,
  opened_at INTEGER NOT NULL,
  until_at INTEGER NOT NULL,
  reopened INTEGER NOT NULL,
  PRIMARY KEY (scope, subject, cause)
) STRICT, WITHOUT ROWID;
