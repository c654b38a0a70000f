-- How many events did each rule select, and of how many people?
SELECT rule, count(*) AS events, count(DISTINCT distinct_id) AS people
FROM
(
    SELECT distinct_id, e.decision.rules AS rules FROM events_decided AS e WHERE e.decision.selected
)
CROSS JOIN UNNEST(rules) AS selected (rule)
GROUP BY rule;

-- Are all events there, and which could not be decided?
SELECT count(*) AS events, count(*) FILTER (WHERE e.decision.error <> '') AS failures FROM events_decided AS e;
