"""Tells schemathesis how events are written, one a line."""

import json

import schemathesis


@schemathesis.serializer("application/x-ndjson")
def ndjson(_context, value):
    if isinstance(value, bytes):
        return value
    if isinstance(value, str):
        return value.encode("utf-8", "surrogatepass")
    items = value if isinstance(value, list) else [value]
    return b"".join(json.dumps(item).encode() + b"\n" for item in items)
