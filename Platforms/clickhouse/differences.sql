-- Which days have other events decided than came? Such are days that were replaced while events arrived. Days whose raw events
-- have been deleted are not among them: they cannot be decided anew.
SELECT
    toString(toDate(time)) AS day, countIf(sign = 1) AS raw, countIf(sign = -1) AS decided
FROM
(
    SELECT time, distinct_id, 1 AS sign FROM events_raw
    UNION ALL
    SELECT time, distinct_id, -1 AS sign FROM events_decided
)
GROUP BY day
-- With numbers alone, an event that is missing would make up for one that is there twice.
HAVING raw > 0 AND sum(sign * cityHash64(time, distinct_id)) != 0
ORDER BY day;
