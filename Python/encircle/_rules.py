"""Rules in force."""

import collections.abc
import contextlib
import ctypes
import json
import pathlib
import re
import threading

from . import _columns, _library
from ._errors import ColumnsError, EncircleError, EventError, RulesError
from ._library import library

_ERRORS = {
    _library.INVALID_RULES: RulesError,
    _library.UNSUPPORTED: RulesError,
    _library.INVALID_EVENT: EventError,
    _library.INVALID_COLUMNS: ColumnsError,
    _library.TOO_LARGE: ColumnsError,
}


def version():
    """The version of Encircle, to which compiled rules belong."""
    return library.encircle_version().decode()


class RuleSet:
    """Rules in force. They are immutable, and any number of threads can use them at once."""

    def __init__(self, data, version=""):
        """Loads rules from bytes: the output of ``encircle compile``, or a rule file in YAML or JSON, compressed with gzip or not.

        Decisions on batches have ``version`` as their ``rules_version``. Raises `RulesError` for anything else, with every
        mistake in the rules.
        """
        if isinstance(data, str):
            data = _utf8(data)
        # `bytes` alone would convert a number to that many zeros.
        data = bytes(memoryview(data))
        if re.search("[\0\ud800-\udfff]", version):
            raise RulesError(f"a version is a text in UTF-8 without zeros, not {version!r}")
        self._version = version
        self._path = None
        # Deciders that no thread uses at the moment; there are never more of them than there were concurrent threads.
        self._idle = []
        self._lock = threading.Lock()
        self._data = data
        self._handle = library.encircle_rules_create()
        status = library.encircle_rules_load(self._handle, data, len(data), version.encode())
        if status != _library.OK:
            raise _ERRORS.get(status, EncircleError)(library.encircle_rules_last_error(self._handle).decode())

    @classmethod
    def load(cls, path, version=None):
        """Loads rules from a file. Unless given, the version is the file's name without its extension."""
        path = pathlib.Path(path)
        try:
            rules = cls(path.read_bytes(), path.stem if version is None else version)
        except RulesError as error:
            raise RulesError(_placed(str(error), path)) from None
        rules._path = str(path)
        return rules

    @property
    def version(self):
        """The version that decisions on batches have."""
        return self._version

    def __len__(self):
        """The number of rules."""
        return library.encircle_rules_count(self._handle)

    def __repr__(self):
        return f"<encircle.RuleSet {self._version!r}, {len(self)} rules>"

    def __reduce__(self):
        # Engines send the functions that they run to other machines.
        return (RuleSet, (self._data, self._version), {"_path": self._path})

    def __del__(self):
        for decider in getattr(self, "_idle", ()):
            library.encircle_decider_destroy(decider)
        if getattr(self, "_handle", None):
            library.encircle_rules_destroy(self._handle)

    # Deciding

    def decide(self, event):
        """Decides one event: a mapping, or its JSON as text or bytes.

        Returns the decision as ``encircle match`` writes it: ``selected``, ``rules``, ``excluded_by``, ``emit``, and, if present,
        ``event_id``, ``pages`` and ``properties``. Raises `EventError` if the argument is not an event.
        """
        return json.loads(self._text(library.encircle_decide, _json(event)))

    def explain(self, event):
        """Explains the decision on one event, rule by rule and test by test. Raises `RulesError` for compiled rules."""
        explanation = json.loads(self._text(library.encircle_explain, _json(event)))
        if self._path is not None:
            for rule in explanation["explanations"]:
                rule["origin"] = _placed(rule["origin"], self._path)
        return explanation

    def decide_lines(self, lines):
        """Decides events, one per line, and returns one decision for each line, in order.

        For a line that is not an event, the decision has ``error`` and its ``column``. Lines are bytes or a text; a line feed
        ends a line.
        """
        if isinstance(lines, str):
            lines = _utf8(lines)
        text = self._text(library.encircle_decide_batch, bytes(memoryview(lines)))
        return [json.loads(line) for line in text.split("\n")[:-1]]

    def decide_batch(self, data, columns=None):
        """Decides the rows of a ``pyarrow.RecordBatch``, without copying their texts.

        Returns a RecordBatch with the same number of rows, with ``rules``, ``emit``, ``excluded_by``, ``pages``, ``selected``,
        ``rules_version`` and ``error``. Data with several batches (a Table, a DataFrame of pandas or polars, a relation of
        DuckDB) gives a Table.

        Columns are found by the names of the fields of events: ``event``, ``page``, ``path``, ``event_id``, ``content``,
        ``app_version`` and others, ``properties`` (a map of texts) or ``properties_json``, or only ``json`` for the whole event.
        ``columns`` maps these names to different ones, ``{"event": "event", "path": "element_path"}``; it must list all columns,
        because others are ignored then. A row that is not an event has the reason in ``error``. Raises `ColumnsError` for other
        columns, for data without columns, and for names in ``columns`` that no column of events has.
        """
        import pyarrow

        if columns is not None:
            _columns.check_mapping(columns)
        if not isinstance(data, pyarrow.RecordBatch):
            data = _columns.arrow(data, columns)
            if isinstance(data, pyarrow.RecordBatchReader):
                # Its batches are not checked against its schema, which a stream in C would use to read them.
                batches = [self.decide_batch(batch, columns) for batch in data]
                if not batches:
                    # Its columns are checked like those of data with rows.
                    nothing = [pyarrow.nulls(0, field.type) for field in data.schema]
                    self.decide_batch(pyarrow.RecordBatch.from_arrays(nothing, schema=data.schema), columns)
                return pyarrow.Table.from_batches(batches, _columns.decisions_schema())
        batch = _columns.chosen(data, columns)
        schema, array = _library.ArrowSchema(), _library.ArrowArray()
        out_schema, out_array = _library.ArrowSchema(), _library.ArrowArray()
        batch._export_to_c(ctypes.addressof(array), ctypes.addressof(schema))
        try:
            with self._decider() as decider:
                status = library.encircle_decide_columns(
                    decider, *(ctypes.addressof(part) for part in (schema, array, out_schema, out_array))
                )
                self._check(status, decider)
        finally:
            array.release(ctypes.byref(array))
            schema.release(ctypes.byref(schema))
        return pyarrow.RecordBatch._import_from_c(ctypes.addressof(out_array), ctypes.addressof(out_schema))

    # Deciders

    @contextlib.contextmanager
    def _decider(self):
        with self._lock:
            decider = self._idle.pop() if self._idle else None
        decider = decider or library.encircle_decider_create(self._handle)
        try:
            yield decider
        finally:
            with self._lock:
                self._idle.append(decider)

    def _text(self, function, data):
        result = _library.Text()
        with self._decider() as decider:
            self._check(function(decider, data, len(data), ctypes.byref(result)), decider)
            return result.decode()

    @staticmethod
    def _check(status, decider):
        if status != _library.OK:
            raise _ERRORS.get(status, EncircleError)(library.encircle_decider_last_error(decider).decode())


def _placed(text, path):
    """The text with a file's path at places in it, as the library only gets the bytes and names them rules.yaml or rules.json."""
    return re.sub(r"^rules\.(yaml|json)(?=:)", lambda _: str(path), text, flags=re.MULTILINE)


def _utf8(text):
    # A lone surrogate is not valid text; the library reports it.
    return text.encode("utf-8", "surrogatepass")


def _json(event):
    if isinstance(event, str):
        return _utf8(event)
    if isinstance(event, (bytes, bytearray, memoryview)):
        return bytes(event)
    try:
        text = json.dumps(event, ensure_ascii=False, allow_nan=False, default=_object)
    except (TypeError, ValueError, RecursionError) as error:
        # Values and names that JSON cannot represent, and mappings that contain themselves or are too deep.
        raise EventError(str(error)) from error
    return _utf8(text)


def _object(value):
    if isinstance(value, collections.abc.Mapping):
        return dict(value)
    raise TypeError(f"JSON has no value of type {type(value).__name__}")
