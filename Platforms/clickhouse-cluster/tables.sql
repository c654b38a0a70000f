-- Decided events on two shards with two replicas each. A server as old as Debian's has no executable functions, so events are decided
-- before they come; with a newer one, Platforms/clickhouse has the view that decides them here.

CREATE DATABASE shard_1 ON CLUSTER servers;

CREATE DATABASE shard_2 ON CLUSTER servers;

CREATE TABLE shard_1.events_decided ON CLUSTER servers
(
    date Date DEFAULT toDate(time),
    time DateTime,
    n UInt64,
    distinct_id String,
    event String,
    page String,
    rules Array(String),
    emit Array(String),
    excluded_by Array(String),
    pages Array(String),
    selected UInt8,
    rules_version String,
    error String
)
ENGINE = ReplicatedMergeTree('/clickhouse/tables/shard_1/events_decided', '{replica}')
PARTITION BY date
ORDER BY (time, distinct_id);

CREATE TABLE shard_2.events_decided ON CLUSTER servers AS shard_1.events_decided
ENGINE = ReplicatedMergeTree('/clickhouse/tables/shard_2/events_decided', '{replica}')
PARTITION BY date
ORDER BY (time, distinct_id);

-- By the user, so that one user's events are on one shard. The database is the shard's.
CREATE TABLE default.events_decided ON CLUSTER servers AS shard_1.events_decided
ENGINE = Distributed(shards, '', events_decided, cityHash64(distinct_id));
