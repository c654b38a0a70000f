"""Rules as a function over the rows of a DataFrame of Spark."""

from ._columns import decided_struct

DECISION = (
    "rules array<string>, emit array<string>, excluded_by array<string>, pages array<string>, selected boolean,"
    " rules_version string, error string"
)


def decide(frame, rules, columns=None, name="decision"):
    """Adds the decision of each row to a DataFrame, as a struct: ``decided.where("decision.selected")``.

    Columns are found by name, as by `RuleSet.decide_batch`, which gets ``columns``. The rules travel to the executors with the
    function; the package must be installed in their Python. Rows go there in Arrow's batches, and none are lost: a row that is not
    an event has the reason in ``decision.error``. Raises `ColumnsError` for columns of which no event can be made.
    """
    import pyarrow

    # After a grouping by a map, the names in Spark's batches differ from the DataFrame's.
    names = frame.columns
    # An error on an executor would come late, and within Java's.
    rules.decide_batch(pyarrow.RecordBatch.from_arrays([pyarrow.nulls(0) for _ in names], names), columns)

    from pyspark.sql.types import StructField, StructType

    def decide_batches(batches):
        for batch in batches:
            named = pyarrow.RecordBatch.from_arrays(batch.columns, names)
            decisions = decided_struct(rules.decide_batch(named, columns))
            yield pyarrow.RecordBatch.from_arrays([*named.columns, decisions], [*names, name])

    decision = StructField(name, StructType.fromDDL(DECISION))
    return frame.mapInArrow(decide_batches, StructType([*frame.schema.fields, decision]))
