from collections.abc import Sequence

from pyflink.table.udf import UserDefinedScalarFunctionWrapper

from . import RuleSet

DEFAULT_COLUMNS: list[str]
DECISION: str

def function(rules: RuleSet, columns: Sequence[str] | None = None) -> UserDefinedScalarFunctionWrapper: ...
