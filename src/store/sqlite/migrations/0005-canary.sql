-- How each endpoint came out of each round of the canary. A record is the JSON of a row; the columns
-- beside it exist to be searched. Nothing here holds text of a prompt or an answer.
CREATE TABLE canary_round (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  round_id TEXT NOT NULL,
  role TEXT NOT NULL CHECK (role IN ('watched', 'control')),
  endpoint TEXT NOT NULL,
  round_n INTEGER NOT NULL,
  ended_at INTEGER NOT NULL,
  result TEXT NOT NULL,
  record TEXT NOT NULL,
  UNIQUE (round_id, role, endpoint)
) STRICT;
CREATE INDEX canary_round_by_n ON canary_round (round_n);
CREATE INDEX canary_round_by_end ON canary_round (ended_at);
CREATE INDEX canary_round_by_endpoint ON canary_round (endpoint, id);

-- One question: written with the most it can cost before it is sent, and again when it is answered.
-- Without a result it is under way, or its process ended before the answer.
CREATE TABLE canary_probe (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  round_id TEXT NOT NULL,
  role TEXT NOT NULL,
  endpoint TEXT NOT NULL,
  instance TEXT NOT NULL,
  contract TEXT NOT NULL,
  locale TEXT NOT NULL,
  attempt INTEGER NOT NULL,
  at INTEGER NOT NULL,
  result TEXT,
  reason TEXT,
  detected TEXT,
  ttft_ms REAL,
  duration_ms REAL,
  input_tokens INTEGER,
  output_tokens INTEGER,
  charged_tokens INTEGER NOT NULL,
  charged_usd REAL NOT NULL,
  UNIQUE (round_id, role, endpoint, contract, locale, attempt)
) STRICT;
CREATE INDEX canary_probe_by_time ON canary_probe (at);
CREATE INDEX canary_probe_by_endpoint ON canary_probe (endpoint, id);

-- What the rounds led to, and what people did. `told_at` is when somebody was told of what is news.
CREATE TABLE suspension (
  n INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  kind TEXT NOT NULL,
  endpoint TEXT NOT NULL,
  instance TEXT NOT NULL,
  model TEXT NOT NULL,
  host TEXT,
  at INTEGER NOT NULL,
  round_id TEXT,
  until_at INTEGER,
  level INTEGER NOT NULL,
  detail TEXT,
  is_news INTEGER NOT NULL CHECK (is_news IN (0, 1)),
  forgives INTEGER NOT NULL CHECK (forgives IN (0, 1)),
  told_at INTEGER
) STRICT;
CREATE INDEX suspension_by_endpoint ON suspension (endpoint, n);
CREATE INDEX suspension_by_kind ON suspension (kind, at);
CREATE INDEX suspension_untold ON suspension (n) WHERE is_news = 1 AND told_at IS NULL;

-- One row: the state after the round `round_n`, so that older rounds need not be kept for ever.
CREATE TABLE canary_fleet (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  round_n INTEGER NOT NULL,
  record TEXT NOT NULL CHECK (json_valid(record))
) STRICT;
