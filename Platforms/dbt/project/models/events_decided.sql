{#
  The decisions on raw events, an hour at a time. An hour that is run again replaces what it had made, and by the same rules
  by the same rows.
#}
{{ config(
  materialized='incremental', incremental_strategy='microbatch', event_time='time', batch_size='hour',
  begin='2026-03-01', lookback=0
) }}

select
  n, time, distinct_id, event, page, path,
  encircle_decide(event, page, path, event_id, content, app_version, properties) as decision
from {{ source('tracking', 'events_raw') }}
