from pyspark.sql import DataFrame

from . import Columns, RuleSet

DECISION: str

def decide(frame: DataFrame, rules: RuleSet, columns: Columns | None = None, name: str = "decision") -> DataFrame: ...
