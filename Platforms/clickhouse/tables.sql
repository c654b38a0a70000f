-- Events as they come, and the same with the decision of the rules. {function} and {version} are filled in by the script that
-- runs this; write the names of yours.
--
-- Both tables have a window for insert deduplication. If only the first had one, a block that is sent again would be omitted
-- there but decided twice here. Replicated tables have a window by default.

CREATE TABLE events_raw
(
    time DateTime64(3, 'UTC'),
    distinct_id String,
    event LowCardinality(Nullable(String)),
    page LowCardinality(Nullable(String)),
    path Nullable(String),
    event_id Nullable(String),
    content Nullable(String),
    app_version LowCardinality(Nullable(String)),
    properties Map(LowCardinality(String), String)
)
ENGINE = MergeTree
PARTITION BY toDate(time)
ORDER BY (time, distinct_id)
SETTINGS non_replicated_deduplication_window = 1000;

CREATE TABLE events_decided
(
    time DateTime64(3, 'UTC'),
    distinct_id String,
    event LowCardinality(Nullable(String)),
    page LowCardinality(Nullable(String)),
    path Nullable(String),
    event_id Nullable(String),
    content Nullable(String),
    app_version LowCardinality(Nullable(String)),
    properties Map(LowCardinality(String), String),
    rules Array(LowCardinality(String)),
    emit Array(LowCardinality(String)),
    excluded_by Array(LowCardinality(String)),
    pages Array(LowCardinality(String)),
    selected UInt8,
    rules_version LowCardinality(String),
    error LowCardinality(String)
)
ENGINE = MergeTree
PARTITION BY toDate(time)
ORDER BY (time, distinct_id)
SETTINGS non_replicated_deduplication_window = 1000;

CREATE MATERIALIZED VIEW decide_events TO events_decided AS
SELECT
    time, distinct_id, event, page, path, event_id, content, app_version, properties,
    d.rules AS rules, d.emit AS emit, d.excluded_by AS excluded_by, d.pages AS pages, d.selected AS selected,
    d.rules_version AS rules_version, d.error AS error
FROM
(
    SELECT *, {function}('{version}', event, page, path, event_id, content, app_version, properties) AS d
    FROM events_raw
);
