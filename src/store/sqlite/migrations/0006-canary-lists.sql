-- Lists of the canary are read newest first, whichever column they are filtered by.
CREATE INDEX canary_round_by_result ON canary_round (result, id);
CREATE INDEX canary_probe_by_result ON canary_probe (result, id);
CREATE INDEX canary_probe_by_contract ON canary_probe (contract, id);
CREATE INDEX suspension_by_kind_n ON suspension (kind, n);

-- What was seen of an endpoint on the day after it would have been suspended.
CREATE INDEX canary_round_by_endpoint_end ON canary_round (endpoint, ended_at);
