{{ config(materialized='table') }}

select rule, count(*) as events, count(distinct distinct_id) as people
from (select distinct_id, unnest(decision.rules) as rule from {{ ref('events_decided') }} where decision.selected)
group by rule
