"""Columns of batches."""

import collections.abc

from ._errors import ColumnsError

Columns = dict

# The names that columns of events can have. The library also lists them if a batch has none of them.
NAMES = (
    "json properties properties_json event time distinct_id event_id path page title type content position actions"
    " alert_message alert_title app app_version os path_indexes"
).split()


def check_names(columns):
    """Refuses names that no column of events has, because the library ignores such columns."""
    unknown = [name for name in columns if name not in NAMES]
    if unknown:
        raise ColumnsError(f"no column of events has the name {', '.join(map(repr, unknown))}; these are: {', '.join(NAMES)}")


def check_mapping(columns):
    """Refuses anything but a mapping of names that columns of events have."""
    if not isinstance(columns, collections.abc.Mapping):
        raise ColumnsError(f"columns map names of columns of events to names in the data: {columns!r} is no mapping")
    check_names(columns)


def check_arguments(columns, rules):
    """Refuses columns of which no event can be made, before an engine calls a function with them."""
    import pyarrow

    check_names(columns)
    rules.decide_batch(pyarrow.RecordBatch.from_arrays([pyarrow.nulls(0) for _ in columns], columns))


def decisions_schema():
    """The columns of decisions."""
    import pyarrow

    texts = pyarrow.list_(pyarrow.field("item", pyarrow.string(), nullable=False))
    return pyarrow.schema(
        [pyarrow.field(name, texts, nullable=False) for name in ["rules", "emit", "excluded_by", "pages"]]
        + [pyarrow.field("selected", pyarrow.bool_(), nullable=False)]
        + [pyarrow.field(name, pyarrow.string(), nullable=False) for name in ["rules_version", "error"]]
    )


def decisions_type():
    """The columns of decisions as one struct type, for functions of engines."""
    import pyarrow

    return pyarrow.struct(list(decisions_schema()))


def decided_struct(batch):
    """The columns of decisions as one column of structs."""
    import pyarrow

    return pyarrow.StructArray.from_arrays(batch.columns, fields=list(decisions_schema()))


def arrow(data, columns):
    """Returns data as a RecordBatch, or as a RecordBatchReader if it can have several batches."""
    import pyarrow

    try:
        data = without_others(data, columns)
        if isinstance(data, pyarrow.RecordBatchReader):
            return data
        if not hasattr(data, "__arrow_c_stream__") and not hasattr(data, "__arrow_c_array__"):
            data = pyarrow.table(data)
        if hasattr(data, "__arrow_c_stream__"):
            return pyarrow.RecordBatchReader.from_stream(data)
        return pyarrow.record_batch(data)
    except (TypeError, ValueError, pyarrow.ArrowException) as error:
        raise ColumnsError(f"data of type {type(data).__name__} has no columns that Arrow can read: {error}") from error


def without_others(data, columns):
    """Returns a pandas DataFrame with only the columns that are used, and other data unchanged.

    pandas converts every column to Arrow's types, and fails if a column has values of several types, even if no rule needs it.
    It reads a column without any value as doubles, which are no texts: here it becomes one of nulls.
    """
    if not hasattr(data, "iloc") or not hasattr(data, "columns"):
        return data
    names = NAMES if columns is None else columns.values()
    looked_at = [name in names for name in data.columns]
    if any(looked_at):
        data = data.loc[:, looked_at]
    doubles = [place for place, kind in enumerate(data.dtypes) if kind.kind == "f"]
    return data.astype({data.columns[place]: object for place in doubles if data.iloc[:, place].isna().all()})


def chosen(batch, columns):
    """Returns the batch with the named columns, under the names of the fields of events."""
    if columns is None:
        return batch
    import pyarrow

    names = batch.schema.names
    missing = [name for name in columns.values() if names.count(name) != 1]
    if missing:
        raise ColumnsError(f"no column, or more than one, is called {', '.join(map(repr, missing))}")
    return pyarrow.RecordBatch.from_arrays([batch.column(name) for name in columns.values()], list(columns))
