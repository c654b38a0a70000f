"""Arguments and output of a peer, as in the external workload (README.md), whose common.py must be on Python's path."""
import argparse
import json
import resource
import tempfile
from contextlib import contextmanager
from itertools import islice


def arguments(description):
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rules")
    parser.add_argument("events")
    parser.add_argument("--limit", type=int, default=2_000, help="the number of events")
    parser.add_argument("--passes", type=int, default=3)
    parser.add_argument("--expected", help="the reference's answers")
    return parser.parse_args()


def cpu(who):
    """Seconds of CPU time of this process, or of its children that have ended."""
    usage = resource.getrusage(who)
    return usage.ru_utime + usage.ru_stime


def rules_of(path):
    with open(path, encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


@contextmanager
def written(lines, suffix):
    """A file with these lines, for as long as it is needed."""
    with tempfile.NamedTemporaryFile("w", suffix=suffix, encoding="utf-8") as file:
        file.writelines(lines)
        file.flush()
        yield file.name


@contextmanager
def first_events(options):
    with open(options.events, encoding="utf-8") as lines, written(islice(lines, options.limit), ".ndjson") as name:
        yield name


def print_record(peer, options, rules, answers, compile_seconds, match_seconds, total_seconds, peak_bytes):
    """`answers` has the ids for each event; the seconds are the duration of a pass."""
    record = {
        "peer": peer, "rules": rules, "events": len(answers), "compile_s": compile_seconds,
        "match_ns": match_seconds / len(answers) * 1e9, "e2e_ns": total_seconds / len(answers) * 1e9,
        "pairs": sum(map(len, answers)), "peak_rss_mb": peak_bytes / 2**20}
    if options.expected:
        with open(options.expected, encoding="utf-8") as lines:
            expected = [json.loads(line)["ids"] for line in islice(lines, len(answers))]
        right = sum(sorted(found) == wanted for found, wanted in zip(answers, expected))
        record["verified"] = f"{right}/{len(expected)}"
    print(json.dumps(record))
