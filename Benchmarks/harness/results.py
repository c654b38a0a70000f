"""The results of one program on one workload."""
from dataclasses import dataclass, field
from statistics import median


class WrongAnswer(Exception):
    """The matches of a program differ from the reference or from its other passes."""


@dataclass
class Figures:
    """Times of several passes."""

    values: list[float]

    @property
    def median(self):
        return median(self.values)

    @property
    def spread(self):
        return min(self.values), max(self.values)


@dataclass
class Result:
    """One row of the table. Times are nanoseconds per event of one thread's CPU time; None is not known."""

    program: str
    workload: str
    rules: int
    events: int
    bytes: int | None = None
    end_to_end: Figures | None = None
    reading: Figures | None = None
    matching: Figures | None = None
    compile_seconds: float | None = None
    bytes_per_rule: float | None = None
    peak_megabytes: float | None = None
    memo_hit: float | None = None
    pairs: int | None = None
    kept: int | None = None
    # The error; then there are no figures.
    failure: str | None = None
    notes: list[str] = field(default_factory=list)


def check_dump(program, workload, dump, answered):
    """Compares the answers to the first events with the reference's."""
    with open(workload.expected, encoding="utf-8") as expected, open(dump, encoding="utf-8") as answers:
        wanted = [line for _, line in zip(range(answered), expected)]
        got = answers.readlines()
    if len(got) < len(wanted):
        raise WrongAnswer(f"{program}, {workload.title}: {len(got)} answers, expected {len(wanted)}")
    for i, (line, answer) in enumerate(zip(wanted, got)):
        if line != answer:
            raise WrongAnswer(
                f"{program}, {workload.title}, event {i}:\n  expected {line[:300].strip()}\n  found    {answer[:300].strip()}")
