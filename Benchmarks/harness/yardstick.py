"""The native yardstick of the external workload (README.md): the most that this machine can do if only speed matters."""
import json
import platform
import shutil
import subprocess
import tempfile
from pathlib import Path

from .places import BENCHMARKS, CACHE, SHARED, digest, has_shared, head, made, say
from .results import Figures, Result, WrongAnswer, check_dump

SOURCE = SHARED / "native/limit.cpp"
HEADER = BENCHMARKS / "native/avx512_on_avx2.h"
VARIANTS = {"native": "0", "native+memo": "1"}


def build():
    """The compiled program; None, after printing why, if it cannot be built."""
    if not has_shared():
        return None
    if not shutil.which("g++"):
        return say("no yardstick: g++ is missing")
    flags = processor_flags()
    if {"avx512_vbmi2", "vaes"} <= flags:
        header = []
    elif {"avx2", "bmi2", "aes", "pclmulqdq"} <= flags:
        header = ["-include", HEADER]
    else:
        return say("no yardstick: it needs AVX-512, or AVX2 with BMI2 and AES")

    def compile_to(half):
        say("build: the yardstick" + (" on AVX2" if header else ""))
        command = ["g++", "-O3", "-march=native", "-std=c++17", "-w", *header, "-o", half, SOURCE, "-lsimdjson"]
        subprocess.run(list(map(str, command)), check=True, capture_output=True, text=True)

    try:
        return made(CACHE / f"bin/limit-{platform.node()}-{digest(SOURCE, HEADER)}", compile_to)
    except subprocess.CalledProcessError as error:
        return say(f"no yardstick: it does not compile; is libsimdjson there?\n{error.stderr[:600]}")


def processor_flags():
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            return set(next(line for line in file if line.startswith("flags")).split())
    except (OSError, StopIteration):
        return set()


def measure(program, variant, workload, encircle, passes):
    """One variant on the events that Encircle has decided; `encircle` is its result. Each pass is a separate process,
    because the program only reports medians. Raises WrongAnswer."""
    answered = min(workload.answered, encircle.events)
    with tempfile.TemporaryDirectory(dir=CACHE) as folder:
        events = workload.events
        if encircle.bytes != events.stat().st_size:
            events = head(events, encircle.events, Path(folder) / "events.ndjson")
        rows = []
        for _ in range(passes):
            dump = Path(folder) / "dump.jsonl"
            command = [program, "--rules", workload.rules, "--events", events, "--engine", "index", "--memo",
                       VARIANTS[variant], "--passes", 1, "--dump", answered, dump]
            try:
                ran = subprocess.run(list(map(str, command)), capture_output=True, text=True, timeout=120)
            except subprocess.TimeoutExpired:
                return Result(variant, workload.title, workload.count, encircle.events, failure="more than 120 s a pass")
            if ran.returncode:
                reason = ran.stderr.strip()[:80] or f"status {ran.returncode}"
                return Result(variant, workload.title, workload.count, encircle.events, failure=reason)
            check_dump(variant, workload, dump, answered)
            rows.append(json.loads(ran.stdout))
    for row in rows:
        if (row["pairs"], row["kept"]) != (encircle.pairs, encircle.kept):
            raise WrongAnswer(f"{workload.title}: {variant} matches {row['pairs']} and keeps {row['kept']}, "
                              f"encircle {encircle.pairs} and {encircle.kept}")
    return Result(
        variant, workload.title, workload.count, encircle.events, encircle.bytes,
        Figures([row["e2e_ns"] for row in rows]), None, Figures([row["match_ns"] for row in rows]),
        sorted(row["compile_s"] for row in rows)[len(rows) // 2], rows[0]["bytes_per_rule"],
        max(row["peak_rss_mb"] for row in rows) * 1.048576, rows[0]["memo_hit"] or None, rows[0]["pairs"], rows[0]["kept"])
