-- A record is the JSON of a decision without its attempts; the columns beside it exist to be searched.
CREATE TABLE decision (
  id TEXT PRIMARY KEY NOT NULL,
  at INTEGER NOT NULL,
  asked TEXT GENERATED ALWAYS AS (record ->> '$.asked') STORED,
  served TEXT GENERATED ALWAYS AS (record ->> '$.served') STORED,
  served_model TEXT GENERATED ALWAYS AS (substr(served, instr(served, ':') + 1)) STORED,
  status INTEGER GENERATED ALWAYS AS (record ->> '$.status') STORED,
  outcome TEXT NOT NULL GENERATED ALWAYS AS (record ->> '$.outcome') STORED,
  record TEXT NOT NULL
) STRICT;
CREATE INDEX decision_by_time ON decision (at DESC, id DESC);
CREATE INDEX decision_by_asked ON decision (asked, at DESC, id DESC);
CREATE INDEX decision_by_served_model ON decision (served_model, at DESC, id DESC);
CREATE INDEX decision_by_status ON decision (status, at DESC, id DESC);
CREATE INDEX decision_in_progress ON decision (at) WHERE outcome = 'in_progress';

-- `at` is the decision's, so that attempts of one target page in the order of decisions.
CREATE TABLE attempt (
  decision_id TEXT NOT NULL REFERENCES decision (id) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  at INTEGER NOT NULL,
  target TEXT NOT NULL GENERATED ALWAYS AS (record ->> '$.target') STORED,
  record TEXT NOT NULL,
  PRIMARY KEY (decision_id, position)
) STRICT, WITHOUT ROWID;
CREATE INDEX attempt_by_target ON attempt (target, at DESC, decision_id DESC);

CREATE TABLE api_key (
  id TEXT PRIMARY KEY NOT NULL,
  name TEXT NOT NULL,
  scope TEXT NOT NULL CHECK (scope IN ('client', 'admin')),
  hash TEXT NOT NULL UNIQUE,
  prefix TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  revoked_at INTEGER
) STRICT;

CREATE TABLE config_override (
  key TEXT PRIMARY KEY NOT NULL,
  value TEXT NOT NULL CHECK (json_valid(value))
) STRICT, WITHOUT ROWID;

CREATE TABLE audit (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  at INTEGER NOT NULL,
  actor TEXT NOT NULL,
  action TEXT NOT NULL,
  subject TEXT NOT NULL,
  detail TEXT
) STRICT;

-- One row: whether the last server on this file closed it.
CREATE TABLE session (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  closed_cleanly INTEGER NOT NULL
) STRICT;
INSERT INTO session (id, closed_cleanly) VALUES (1, 1);
