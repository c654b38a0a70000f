"""The workloads: rules, events, and the reference's answers to the first events."""
import subprocess
import sys
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from . import places, tool
from .places import BENCHMARKS, CACHE, REPOSITORY, SHARED, digest, head, made, say

SEED = 1
SHARED_EVENTS = 200_000
# The number of events that the reference answers, by number of rules: a few seconds each.
ANSWERED = {10: 1_000, 1_000: 500, 10_000: 100, 100_000: 30, 1_000_000: 10}

# Sets of our own with the number of rules; the events of their streams.
OWN_MAIN = [("none", 10_000), ("exact", 10_000), ("mixed", 1_000), ("mixed", 10_000), ("wide", 1_000), ("wide", 10_000)]
OWN_HARD = [(name, count) for name in ("suffix", "globstar", "contains", "not-in", "regex") for count in (1_000, 10_000)] + [
    ("one-page", 5_000)] + [(name, count) for name in ("deep", "long", "different", "malformed") for count in (1_000, 10_000)]
STREAM_OF = {"wide": "wide", "one-page": "one-page", "deep": "deep", "long": "long", "different": "different", "malformed": "malformed"}
STREAM_EVENTS = {"usual": 100_000, "wide": 30_000, "one-page": 100_000, "deep": 10_000, "long": 300, "different": 100_000,
                 "malformed": 100_000}
# Sets for the elements of real captures: the kind of rules, the most rules, and the popularity of elements in the stream.
REAL = {"real": ("real", 1_000, "zipf"), "real-uniform": ("real", 1_000, "uniform"), "suggested": ("suggested", 10_000, "zipf")}
REAL_EVENTS = 100_000
# Sets that only use fields of the external workload, so that its programs can run them. The yardstick reads paths of at most
# 63 components.
SHARED_FIELDS = {"exact", "wide", "suffix", "globstar", "contains", "long"}


@dataclass(frozen=True)
class Workload:
    """Rules and events on disk."""

    name: str
    count: int
    rules: Path
    events: Path
    expected: Path
    # The number of events that the reference has answered.
    answered: int
    # Whether the programs of the external workload understand the rules.
    has_shared_fields: bool
    # Whether peers also run on it.
    has_peers: bool = False

    @property
    def title(self):
        return title(self.name, self.count)


def run(*command, output):
    with open(output, "wb") as file:
        subprocess.run([sys.executable, *map(str, command)], stdout=file, check=True)


def expected(reference, rules, events, answered, path):
    """The answers of the reference."""
    def answer(half):
        say(f"reference: {rules.name}, {answered} events")
        run(reference, rules, events, "--events", answered, output=half)
    return made(path, answer)


def selected(level, words):
    """The workloads of a level, made one after the other; only those that one of the words names, if there are any:
    `mixed` in all sizes, or `mixed-1000`."""
    for name, count, make in shared_plan(level) + own_plan() + real_plan():
        if not words or name in words or f"{name}-{count}" in words:
            yield make()


def title(name, count):
    return f"{name} {count:,}"


# ---------------------------------------------------------------------- our own

def own_plan():
    return [(name, count, partial(own, name, count)) for name, count in OWN_MAIN + OWN_HARD]


def own(name, count):
    """A set of our own."""
    generator, reference = BENCHMARKS / "make_rules.py", BENCHMARKS / "reference.py"
    folder = CACHE / f"own-{digest(generator, reference)}"
    stream = STREAM_OF.get(name, "usual")
    say(f"workload: {title(name, count)}")
    rules = made(folder / f"{name}-{count}.jsonl", lambda half: run(
        generator, "--seed", SEED, "--rules", name, count, output=half))
    events = made(folder / f"{stream}-{STREAM_EVENTS[stream]}.ndjson", lambda half: run(
        generator, "--seed", SEED, "--events", stream, STREAM_EVENTS[stream], output=half))
    answered = min(ANSWERED[1_000 if count < 10_000 else 10_000], {"deep": 50, "long": 2}.get(name, 500))
    return Workload(
        name, count, rules, events,
        expected(reference, rules, events, answered, folder / f"{name}-{count}.expected-{answered}.jsonl"), answered,
        has_shared_fields=name in SHARED_FIELDS)


# ------------------------------------------------------- elements of real captures

def real_plan():
    return [(name, count, partial(real, name)) for name, (_, count, _) in REAL.items()]


def real(name):
    """Rules and events for the captures in the repository, and for those beside the external workload, if it is there."""
    rule_set, most, popularity = REAL[name]
    generator, reference = BENCHMARKS / "make_real.py", BENCHMARKS / "reference.py"
    captures = [path for path in (REPOSITORY / "ViewTrees", SHARED.parent / "dumps") if path.is_dir()]
    folder = CACHE / f"real-{digest(generator, BENCHMARKS / 'make_rules.py', reference)}-{len(captures)}"
    say(f"workload: {name}")
    # Made by the current tool and kept, because a later tool may suggest other rules, and figures would be hard to compare.
    elements = made(folder / "elements.ndjson", lambda half: run(generator, "elements", tool.path(), *captures, output=half))
    rules = made(folder / f"{rule_set}-{most}.jsonl", lambda half: run(
        generator, "--seed", SEED, "rules", rule_set, most, elements, output=half))
    events = made(folder / f"{popularity}-{REAL_EVENTS}.ndjson", lambda half: run(
        generator, "--seed", SEED, "events", popularity, REAL_EVENTS, elements, output=half))
    with open(rules, "rb") as file:
        count = sum(1 for _ in file)
    answered = ANSWERED[1_000]
    return Workload(
        name, count, rules, events, expected(reference, rules, events, answered, folder / f"{name}.expected-{answered}.jsonl"),
        answered, has_shared_fields=False)


# ------------------------------------------------------------------- the external one

def shared_plan(level):
    """The external workload; nothing where it is missing. Sets are nested: the largest is made, the others are its
    beginnings."""
    if not places.has_shared():
        say("the external workload is missing: only our own is run. ENCIRCLE_SHARED names the folder that has bench/gen.py.")
        return []
    full = level == "full"
    standard = [10, 1_000, 10_000, 100_000] + [1_000_000] * full
    gap = [1_000, 10_000] + [100_000] * full
    return [(name, count, partial(shared, name, count, counts[-1])) for name, counts in (
        ("standard", standard), ("uniform", standard), ("gap", gap)) for count in counts if (
            full or name != "uniform" or count == 10_000)]


def shared(name, count, largest):
    """One size of a mix. `uniform` is the standard mix on events whose elements all occur equally often."""
    mix, stream = {"uniform": ("standard", "uniform")}.get(name, (name, "zipf"))
    folder = CACHE / f"shared-{digest(SHARED / 'gen.py')}"
    say(f"workload: {title(name, count)}")
    there = [size for size in (1_000_000, 100_000, 10_000) if (folder / f"{mix}-{size}" / "rules.jsonl").exists()]
    largest = max([largest] + there)
    all_rules = generated(folder / f"{mix}-{largest}", "rules.jsonl", "--rules", largest, "--events", 0, "--mix", mix)
    rules = head(all_rules, count, folder / f"{mix}-{count}.jsonl")
    events = generated(folder / stream, "events.ndjson", "--rules", 0, "--events", SHARED_EVENTS, "--stream", stream)
    answered = ANSWERED[count] // (4 if mix == "gap" else 1)
    return Workload(
        name, count, rules, events,
        expected(SHARED / "reference.py", rules, events, answered, folder / f"{name}-{count}.expected-{answered}.jsonl"), answered,
        has_shared_fields=True, has_peers=name == "standard")


def generated(folder, file, *options):
    """A file that the external generator makes, in a separate folder."""
    def make(half):
        half.mkdir()
        subprocess.run([sys.executable, SHARED / "gen.py", "--seed", str(SEED), *map(str, options), "--out", half],
                       check=True, stdout=subprocess.DEVNULL)
    return made(folder, make) / file
