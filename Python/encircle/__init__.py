"""Decides analytics events by the rules of Encircle.

>>> import encircle
>>> rules = encircle.RuleSet.load("v7.rules")
>>> rules.decide({"event": "$AppClick", "properties": {"$element_path": "..."}})["selected"]
False

``rules.decide_batch(batch)`` decides the rows of a ``pyarrow.RecordBatch``, and of what pandas, polars and DuckDB export by the
Arrow interfaces. The matcher is a library in C; it is called without the interpreter's lock, so threads decide side by side.
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
