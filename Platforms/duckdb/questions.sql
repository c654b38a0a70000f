-- How many events did each rule select, and of how many people?
SELECT rule, count(*) AS events, count(DISTINCT distinct_id) AS people
FROM (SELECT distinct_id, unnest(decision.rules) AS rule FROM events_decided WHERE decision.selected)
GROUP BY rule
ORDER BY events DESC, rule;

-- How many would the rules select that are not in force yet? Each distinct tuple of what rules look at is decided once.
SELECT rule, sum(events)::BIGINT AS events
FROM
(
    SELECT unnest(decision.rules) AS rule, events
    FROM
    (
        SELECT encircle_decide(event, page, path, event_id, content, app_version, properties) AS decision, events
        FROM
        (
            SELECT event, page, path, event_id, content, app_version, properties, count(*) AS events
            FROM events_raw
            GROUP BY ALL
        )
    )
    WHERE decision.selected
)
GROUP BY rule
ORDER BY events DESC, rule;
