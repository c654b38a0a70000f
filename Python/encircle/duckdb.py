"""Rules as a function of DuckDB."""

import contextlib
import inspect

from ._columns import check_arguments, decided_struct

# The default columns of the function, the same as for ClickHouse's function.
DEFAULT_COLUMNS = ["event", "page", "path", "event_id", "content", "app_version", "properties"]
DECISION = (
    "STRUCT(rules VARCHAR[], emit VARCHAR[], excluded_by VARCHAR[], pages VARCHAR[], selected BOOLEAN,"
    " rules_version VARCHAR, error VARCHAR)"
)


def register(connection, rules, name="encircle_decide", columns=None):
    """Makes the rules a function of a connection: ``encircle_decide(event, page, path, …).selected``.

    ``columns`` are the function's arguments, in order. All are texts except ``properties``, a map of texts, and ``time``, in
    milliseconds as from ``epoch_ms``. DuckDB passes a few thousand rows at a time; each distinct tuple of the values that the
    rules use is decided once. Rules that were registered under the name before are replaced. Raises `ColumnsError` for columns of
    which no event can be made.
    """
    columns = list(DEFAULT_COLUMNS if columns is None else columns)
    check_arguments(columns, rules)
    import duckdb
    import pyarrow

    types = {"properties": "MAP(VARCHAR, VARCHAR)", "time": "BIGINT"}

    def decide(*arrays):
        parts = [part.combine_chunks() if isinstance(part, pyarrow.ChunkedArray) else part for part in arrays]
        return decided_struct(rules.decide_batch(pyarrow.RecordBatch.from_arrays(parts, columns)))

    # DuckDB counts the parameters of a function.
    kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
    decide.__signature__ = inspect.Signature([inspect.Parameter(column, kind) for column in columns])
    # DuckDB refuses a second function of the same name, and the removal of one that is not there.
    with contextlib.suppress(duckdb.InvalidInputException):
        connection.remove_function(name)
    connection.create_function(
        name, decide, [types.get(column, "VARCHAR") for column in columns], DECISION, type="arrow", null_handling="special"
    )
