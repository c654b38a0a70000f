-- Decides the events of one day anew, by another version of the rules. It can be stopped at any place and run again: the day
-- is replaced in one step, and by the same events. Those that arrive between INSERT and REPLACE lose their decisions: afterwards,
-- differences.sql says whether the day must be decided again. If the rules of the version cannot be read, INSERT fails, and the day
-- keeps its decisions: they would be replaced by rows that only say so.

CREATE TABLE IF NOT EXISTS events_backfill AS events_decided;

ALTER TABLE events_backfill DROP PARTITION '{day}';

INSERT INTO events_backfill
SELECT
    time, distinct_id, event, page, path, event_id, content, app_version, properties,
    d.rules, d.emit, d.excluded_by, d.pages, d.selected, d.rules_version, d.error
FROM
(
    SELECT *, {function}('{version}', event, page, path, event_id, content, app_version, properties) AS d
    FROM events_raw
    WHERE toDate(time) = '{day}'
)
WHERE NOT throwIf(startsWith(d.error, 'rules_version'), 'the rules of this version cannot be read')
SETTINGS insert_deduplicate = 0;

ALTER TABLE events_decided REPLACE PARTITION '{day}' FROM events_backfill;

ALTER TABLE events_backfill DROP PARTITION '{day}';
