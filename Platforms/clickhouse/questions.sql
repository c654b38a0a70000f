-- How many events did each rule select, and of how many people?
SELECT rule, count() AS events, uniqExact(distinct_id) AS people
FROM events_decided
ARRAY JOIN rules AS rule
WHERE selected
GROUP BY rule
ORDER BY events DESC, rule;

-- How many would the rules select that are not in force yet? Each distinct tuple of what rules look at is decided once.
SELECT rule, sum(events) AS events
FROM
(
    SELECT {function}('{version}', event, page, path, event_id, content, app_version, properties) AS d, events
    FROM
    (
        SELECT event, page, path, event_id, content, app_version, properties, count() AS events
        FROM events_raw
        GROUP BY ALL
    )
    -- Decided before the rules are taken apart: once for each tuple, not for each rule.
    WHERE d.selected
)
ARRAY JOIN d.rules AS rule
GROUP BY rule
ORDER BY events DESC, rule;
