"""Decides analytics events by the rules of Encircle.

>>> import encircle
>>> rules = encircle.RuleSet.load("v7.rules")
>>> rules.decide({"event": "$AppClick", "properties": {"$element_path": "..."}})["selected"]
False

``rules.decide_batch(batch)`` decides the rows of a ``pyarrow.RecordBatch``, and of data that pandas, polars and DuckDB export
through the Arrow interfaces. The matcher is a C library; it runs without the interpreter's lock, so threads decide in parallel.
"""

from ._columns import Columns, decisions_type
from ._errors import ColumnsError, EncircleError, EventError, RulesError
from ._rules import RuleSet, version

__all__ = [
    "Columns",
    "ColumnsError",
    "EncircleError",
    "EventError",
    "RuleSet",
    "RulesError",
    "decisions_type",
    "version",
]
__version__ = version()
