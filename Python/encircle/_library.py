"""The functions of encircle.h. `ctypes` releases the interpreter's lock while one of them runs."""

import ctypes
import os
import pathlib

ABI_VERSION = 1
OK, INVALID_ARGUMENT, INVALID_RULES, INVALID_EVENT, INVALID_COLUMNS, TOO_LARGE, UNSUPPORTED = range(7)


class Text(ctypes.Structure):
    """`encircle_text`."""

    _fields_ = [("bytes", ctypes.c_void_p), ("length", ctypes.c_size_t)]

    def decode(self):
        """The text, copied."""
        return ctypes.string_at(self.bytes, self.length).decode() if self.length else ""


class ArrowSchema(ctypes.Structure):
    """`struct ArrowSchema` of the Arrow C data interface."""


ArrowSchema._fields_ = [
    ("format", ctypes.c_char_p),
    ("name", ctypes.c_char_p),
    ("metadata", ctypes.c_char_p),
    ("flags", ctypes.c_int64),
    ("n_children", ctypes.c_int64),
    ("children", ctypes.c_void_p),
    ("dictionary", ctypes.c_void_p),
    ("release", ctypes.CFUNCTYPE(None, ctypes.POINTER(ArrowSchema))),
    ("private_data", ctypes.c_void_p),
]


class ArrowArray(ctypes.Structure):
    """`struct ArrowArray` of the Arrow C data interface."""


ArrowArray._fields_ = [
    ("length", ctypes.c_int64),
    ("null_count", ctypes.c_int64),
    ("offset", ctypes.c_int64),
    ("n_buffers", ctypes.c_int64),
    ("n_children", ctypes.c_int64),
    ("buffers", ctypes.c_void_p),
    ("children", ctypes.c_void_p),
    ("dictionary", ctypes.c_void_p),
    ("release", ctypes.CFUNCTYPE(None, ctypes.POINTER(ArrowArray))),
    ("private_data", ctypes.c_void_p),
]


def _load():
    # ENCIRCLE_LIBRARY names another build of the library, for experiments.
    path = os.environ.get("ENCIRCLE_LIBRARY") or str(pathlib.Path(__file__).parent / "libencircle.so")
    library = ctypes.CDLL(path)
    handle, size, text = ctypes.c_void_p, ctypes.c_size_t, ctypes.POINTER(Text)
    for name, result, arguments in [
        ("abi_version", ctypes.c_uint32, []),
        ("version", ctypes.c_char_p, []),
        ("rules_create", handle, []),
        ("rules_load", ctypes.c_int32, [handle, ctypes.c_char_p, size, ctypes.c_char_p]),
        ("rules_count", size, [handle]),
        ("rules_last_error", Text, [handle]),
        ("rules_destroy", None, [handle]),
        ("decider_create", handle, [handle]),
        ("decide", ctypes.c_int32, [handle, ctypes.c_char_p, size, text]),
        ("decide_batch", ctypes.c_int32, [handle, ctypes.c_char_p, size, text]),
        ("decide_columns", ctypes.c_int32, [handle, handle, handle, handle, handle]),
        ("explain", ctypes.c_int32, [handle, ctypes.c_char_p, size, text]),
        ("decider_last_error", Text, [handle]),
        ("decider_destroy", None, [handle]),
    ]:
        function = getattr(library, "encircle_" + name)
        function.restype, function.argtypes = result, arguments
    if library.encircle_abi_version() != ABI_VERSION:
        raise ImportError(f"{path} has version {library.encircle_abi_version()} of the interface, not {ABI_VERSION}")
    return library


library = _load()
