"""Columns of batches."""

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

    check_names(columns)
    missing = [name for name in columns.values() if batch.schema.get_field_index(name) < 0]
    if missing:
        raise ColumnsError(f"no column, or more than one, is called {', '.join(map(repr, missing))}")
    return pyarrow.RecordBatch.from_arrays([batch.column(name) for name in columns.values()], list(columns))
