from collections.abc import Sequence

import duckdb

from . import RuleSet

DEFAULT_COLUMNS: list[str]
DECISION: str

def register(
    connection: duckdb.DuckDBPyConnection,
    rules: RuleSet,
    name: str = "encircle_decide",
    columns: Sequence[str] | None = None,
) -> None: ...
