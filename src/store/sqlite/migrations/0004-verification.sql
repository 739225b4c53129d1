-- Verdicts on outputs, without any text of them. `applied_at` is when the trip rule counted one.
CREATE TABLE verification (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  at INTEGER NOT NULL,
  decision_id TEXT NOT NULL,
  n INTEGER NOT NULL,
  instance TEXT NOT NULL,
  target TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('structural')),
  verdict TEXT NOT NULL,
  signature TEXT,
  detail TEXT,
  model_attributable INTEGER NOT NULL CHECK (model_attributable IN (0, 1)),
  trips INTEGER NOT NULL CHECK (trips IN (0, 1)),
  scope TEXT,
  applied_at INTEGER
) STRICT;
CREATE INDEX verification_by_time ON verification (at);
CREATE INDEX verification_by_decision ON verification (decision_id);
CREATE INDEX verification_by_target ON verification (target, id);
CREATE INDEX verification_by_instance ON verification (instance, id);
CREATE INDEX verification_by_verdict ON verification (verdict, id);
CREATE INDEX verification_by_signature ON verification (signature, id) WHERE signature IS NOT NULL;

-- Baselines of the trip rule, as JSON: counts only.
CREATE TABLE tally (
  subject TEXT PRIMARY KEY NOT NULL,
  scope TEXT NOT NULL CHECK (scope IN ('provider', 'target')),
  saved_at INTEGER NOT NULL,
  record TEXT NOT NULL CHECK (json_valid(record))
) STRICT, WITHOUT ROWID;

-- Signatures that an operator does not want to bench a subject.
CREATE TABLE mute (
  id TEXT PRIMARY KEY NOT NULL,
  scope TEXT NOT NULL CHECK (scope IN ('provider', 'target')),
  subject TEXT NOT NULL,
  signature TEXT,
  reason TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  until_at INTEGER
) STRICT;

-- How far the trials of a half-open trip have come.
ALTER TABLE trip ADD COLUMN clean INTEGER;
ALTER TABLE trip ADD COLUMN probed_at INTEGER;
