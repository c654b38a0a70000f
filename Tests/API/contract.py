"""schemathesis against the API's description: each answer has a status, a type and a shape that the description has.

EXAMPLES=20   what it tries at most of each operation and phase
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile

from service import ROOT, Service, fill, tool

# A description cannot say whether a request that fits it can be carried out: a selector has a grammar, an id must exist. And a
# request that does not fit may be accepted, because unknown members and parameters are ignored.
CHECKS = [
    "not_a_server_error", "status_code_conformance", "content_type_conformance", "response_headers_conformance",
    "response_schema_conformance", "unsupported_method", "allow_header_conformance",
]


def settings(routes, captured):
    """The configuration: ids that exist for what reads, and for each stream that never ends, that it is left out."""
    # The service has no tokens, so that it refuses those that are made up.
    lines = ["[generation]", "with-security-parameters = false"]
    lines += ["[checks.not_a_server_error]", 'expected-statuses = ["2xx", "3xx", "4xx", "503"]']
    for path, operations in routes["paths"].items():
        for method, operation in operations.items():
            if method == "parameters":
                continue
            answers = operation.get("responses", {}).get("200", {}).get("content", {})
            if "text/event-stream" in answers:
                # A client would wait for its end.
                lines += ["[[operations]]", f'include-operation-id = "{operation["operationId"]}"', "enabled = false"]
            elif method == "get" and path.startswith("/v1/captures/{id}"):
                values = {"id": captured["id"]} | ({"n": 8} if "{n}" in path else {})
                pairs = ", ".join(f"{name} = {json.dumps(value)}" for name, value in values.items())
                lines += [
                    "[[operations]]", f'include-operation-id = "{operation["operationId"]}"', f"parameters = {{ {pairs} }}"]
    return "\n".join(lines) + "\n"


def main():
    examples = os.environ.get("EXAMPLES", "20")
    with Service(tool()) as service:
        captures = fill(service)
        routes = service.json("GET", "/v1/openapi.json")
        events = (ROOT / "Rules" / "events" / "shop.ndjson").read_bytes()
        service.request("POST", "/v1/collect?project=default", events, {"Content-Type": "application/x-ndjson"})
        with tempfile.TemporaryDirectory() as directory:
            file = pathlib.Path(directory) / "schemathesis.toml"
            file.write_text(settings(routes, next(capture for capture in captures if capture["name"] == "cart")))
            status = subprocess.run(
                [
                    str(pathlib.Path(sys.executable).parent / "schemathesis"), "--config-file", str(file), "run",
                    f"{service.url}/v1/openapi.json", "--checks", ",".join(CHECKS), "--seed", "19",
                    "--phases", "examples,coverage,fuzzing", "--max-examples", examples, "--request-timeout", "30",
                    "--suppress-health-check", "all", "--generation-database", "none", "--continue-on-failure",
                    "--no-color", "--warnings", "off", *sys.argv[1:],
                ], cwd=directory, check=False, env=os.environ | {
                    "SCHEMATHESIS_HOOKS": "ndjson_bodies", "PYTHONPATH": str(ROOT / "Tests" / "API"),
                    "PYTHONDONTWRITEBYTECODE": "1"}).returncode
        assert service.request("GET", "/healthz")[0] == 200, service.errors()
        print(f"contract: {service.memory():.0f} MB")
    sys.exit(status)


if __name__ == "__main__":
    main()
