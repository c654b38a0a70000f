"""The errors about rules, events and columns."""


class EncircleError(ValueError):
    """An error of the library; its text describes the problem."""


class RulesError(EncircleError):
    """Rules that cannot be loaded, or that do not support the operation."""


class EventError(EncircleError):
    """A mapping, or a text, that is not an event."""


class ColumnsError(EncircleError):
    """A batch whose columns are not the columns of a table of events."""
