-- How many events did each rule select, and of how many people?
SELECT rule, count(*) AS events, count(DISTINCT distinct_id) AS people
FROM (SELECT distinct_id, explode(decision.rules) AS rule FROM events_decided WHERE decision.selected)
GROUP BY rule
ORDER BY events DESC, rule;

-- How many would the rules select that are not in force yet? The view has each distinct tuple of what rules look at once, decided.
SELECT rule, sum(events) AS events
FROM (SELECT explode(decision.rules) AS rule, events FROM tuples_decided WHERE decision.selected)
GROUP BY rule
ORDER BY events DESC, rule;
