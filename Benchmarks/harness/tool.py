"""The tool `encircle`: its output about captures becomes workloads, and its processes are measured."""
import os
import subprocess
from functools import cache
from pathlib import Path

from .places import REPOSITORY, say


@cache
def path():
    """The tool that ENCIRCLE names, or else the fast one, built if it is missing."""
    if named := os.environ.get("ENCIRCLE"):
        return Path(named).resolve()
    say("build: encircle, for release")
    command = ["swift", "build", "-c", "release", "--package-path", str(REPOSITORY), "--product", "encircle"]
    built = subprocess.run(command, capture_output=True, text=True)
    if built.returncode:
        raise SystemExit(built.stdout + built.stderr)
    shown = subprocess.run(command + ["--show-bin-path"], capture_output=True, text=True, check=True)
    return Path(shown.stdout.strip()) / "encircle"
