"""Rules as a vectorised function of Flink's Table API."""

from ._columns import check_arguments

# The default columns of the function. Flink passes no maps to vectorised functions.
DEFAULT_COLUMNS = ["event", "page", "path", "event_id", "content", "app_version", "properties_json"]
DECISION = (
    "ROW<rules ARRAY<STRING>, emit ARRAY<STRING>, excluded_by ARRAY<STRING>, pages ARRAY<STRING>, selected BOOLEAN,"
    " rules_version STRING, error STRING>"
)


def function(rules, columns=None):
    """Makes a function of rules: ``tables.create_temporary_function("encircle_decide", encircle.flink.function(rules))``.

    ``columns`` are the function's arguments, in order; all are texts. The answer is a row of the type `DECISION`. Select it as a
    whole, ``SELECT encircle_decide(…) AS decision``, into a separate table or view, so that Flink calls the function once for each
    event. The rules travel to the TaskManagers with the function; the package must be installed in their Python. Raises
    `ColumnsError` for columns of which no event can be made.
    """
    import pyarrow
    from pyflink.table import DataTypes
    from pyflink.table.udf import udf

    columns = list(DEFAULT_COLUMNS if columns is None else columns)
    check_arguments(columns, rules)
    texts = DataTypes.ARRAY(DataTypes.STRING())
    fields = [DataTypes.FIELD(name, texts) for name in ["rules", "emit", "excluded_by", "pages"]]
    fields.append(DataTypes.FIELD("selected", DataTypes.BOOLEAN()))
    fields += [DataTypes.FIELD(name, DataTypes.STRING()) for name in ["rules_version", "error"]]

    def decide(*series):
        arrays = [pyarrow.array(one, pyarrow.string(), from_pandas=True) for one in series]
        return rules.decide_batch(pyarrow.RecordBatch.from_arrays(arrays, columns)).to_pandas()

    return udf(decide, result_type=DataTypes.ROW(fields), func_type="pandas")
