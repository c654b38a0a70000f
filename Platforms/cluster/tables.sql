-- Decided events as they come from the log, where a repeat has the key of the first. Events without a key are not repeats of each
-- other: the last part of the order keeps all that differ.
CREATE TABLE events_decided (
    key String,
    time DateTime64(3, 'UTC'),
    received_at DateTime64(3, 'UTC'),
    distinct_id String,
    event LowCardinality(String),
    rules Array(LowCardinality(String)),
    emit Array(LowCardinality(String)),
    selected Bool,
    rules_version LowCardinality(String),
    json String
) ENGINE = ReplacingMergeTree(received_at) ORDER BY (distinct_id, key, if(key = '', cityHash64(json), 0));

-- FINAL leaves one row of each key also before parts are merged.
CREATE VIEW events AS SELECT * FROM events_decided FINAL;
