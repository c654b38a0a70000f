#!/usr/bin/env python3
"""jq: the rules as JSON, indexed by exact path and by page, and a program that evaluates the rules that the index finds."""
import json
import resource
import subprocess
from pathlib import Path
from statistics import median

from common import is_exact, path_regex
from record import arguments, cpu, first_events, print_record, rules_of, written

PROGRAM = Path(__file__).with_name("decide.jq")


def index(rules):
    exact, pages, anywhere = {}, {}, []
    for rule in rules:
        if is_exact(rule):
            exact.setdefault(rule["path"], []).append(rule)
            continue
        if "path" in rule:
            rule["regex"] = f"^(?:{path_regex(rule['path'])})$"
        (pages.setdefault(rule["screen"], []) if "screen" in rule else anywhere).append(rule)
    return {"exact": exact, "pages": pages, "anywhere": anywhere}


def main():
    options = arguments(__doc__)
    rules = rules_of(options.rules)

    def run(program, events):
        """The output of jq, and its CPU time."""
        start = cpu(resource.RUSAGE_CHILDREN)
        output = subprocess.run(["jq", "-n", "-c", "--slurpfile", "rules", indexed, *program, events], check=True,
                                capture_output=True).stdout
        return output, cpu(resource.RUSAGE_CHILDREN) - start

    with written([json.dumps(index(rules))], ".json") as indexed, first_events(options) as events:
        decide, read = ["-f", PROGRAM], ["inputs | empty"]
        start, reading, all_of_it = (median(run(program, file)[1] for _ in range(options.passes)) for program, file in (
            (decide, "/dev/null"), (read, events), (decide, events)))
        answers = [json.loads(line) for line in run(decide, events)[0].splitlines()]
    print_record("jq", options, len(rules), answers, start, all_of_it - reading, all_of_it - start,
                 resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024)


if __name__ == "__main__":
    main()
