"""The minimum cost of reading: simdjson extracts the values that rules mostly ask for, and decides nothing."""
import json
import platform
import shutil
import subprocess

from .places import BENCHMARKS, CACHE, digest, made, say
from .results import Figures, Result, WrongAnswer

SOURCE = BENCHMARKS / "native/simdjson_floor.cpp"


def build():
    """The compiled program; None, after printing why, if it cannot be built."""
    if not shutil.which("g++"):
        return say("no simdjson: g++ is missing")
    try:
        return made(CACHE / f"bin/simdjson-{platform.node()}-{digest(SOURCE)}", lambda half: subprocess.run(
            ["g++", "-O3", "-march=native", "-std=c++17", "-o", half, SOURCE, "-lsimdjson"], check=True, capture_output=True,
            text=True))
    except subprocess.CalledProcessError as error:
        return say(f"no simdjson: it does not compile; is libsimdjson there?\n{error.stderr[:600]}")


def measure(program, workload, encircle, passes):
    """The events that Encircle has decided, only read. Raises WrongAnswer."""
    command = [program, workload.events, encircle.events, passes]
    ran = subprocess.run(list(map(str, command)), capture_output=True, text=True)
    if ran.returncode:
        reason = ran.stderr.strip()[:80] or f"status {ran.returncode}"
        return Result("simdjson", workload.title, workload.count, encircle.events, failure=reason)
    row = json.loads(ran.stdout)
    if (row["events"], row["bytes"]) != (encircle.events, encircle.bytes):
        raise WrongAnswer(f"{workload.title}: simdjson reads {row['events']} events of {row['bytes']} bytes, "
                          f"encircle {encircle.events} of {encircle.bytes}")
    return Result("simdjson", workload.title, workload.count, row["events"], row["bytes"], reading=Figures(row["read_ns"]))
