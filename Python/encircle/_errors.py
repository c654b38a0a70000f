"""What can be wrong with rules, events and columns."""


class EncircleError(ValueError):
    """Something that the library refuses; its text says what is wrong."""


class RulesError(EncircleError):
    """Rules that cannot be loaded, or not be used for this."""


class EventError(EncircleError):
    """A mapping, or a text, that is no event."""


class ColumnsError(EncircleError):
    """A batch whose columns are not those of a table of events."""
