-- Events as they come, in JSON files; the properties are a text that contains an object.
CREATE TABLE events_raw
(
    n BIGINT,
    distinct_id STRING,
    event STRING,
    page STRING,
    path STRING,
    event_id STRING,
    content STRING,
    app_version STRING,
    properties STRING
)
WITH ('connector' = 'filesystem', 'path' = '{folder}/events_raw', 'format' = 'json');

CREATE TABLE events_decided
(
    n BIGINT,
    distinct_id STRING,
    decision {decision}
)
WITH ('connector' = 'filesystem', 'path' = '{folder}/events_decided', 'format' = 'json');
