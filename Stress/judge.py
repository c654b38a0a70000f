"""Decides whether the cost of a case grows in proportion to its input."""

import errno
import math
from dataclasses import dataclass

from measure import measure

#: The maximum factor by which a cost may grow when the input doubles. A quadratic cost grows by 4.
GROWTH = 2.5


#: The number of times that a measurement is repeated before growth that seems too fast counts as a failure.
REPEATS = 5


@dataclass
class Case:
    """One reader or command, with inputs that grow in one dimension."""

    command: str
    dimension: str
    start: int
    generate: object  # (Box, size) -> Command
    most: int = 1 << 62  # the size beyond which nothing new is to be learnt
    statuses: tuple = (0, 1)  # exit statuses that are no refusal
    bound: int = 0  # of a stream: megabytes that it may take, whatever its length
    budget: float = 0  # seconds that a budget in docs/limits.md allows, however small the input: below them nothing is judged
    uses: int = 1  # how often the input says that its content is used, as by aliases: each use is one to be read

    @property
    def name(self):
        return f"{self.command}: {self.dimension}"


@dataclass
class Effort:
    """The costs that end the doubling of sizes."""

    cpu: float  # seconds
    cpu_floor: float  # what less is too noisy to be compared
    memory: float  # megabytes
    memory_floor: float
    output_floor: float  # megabytes
    input: int  # bytes
    time_out: float  # seconds
    # Costs that are too high for a small input even if they do not grow: above these, a case fails if its costs are also out of
    # all proportion to the input.
    cpu_excess: float
    memory_excess: float
    output_excess: float


FULL = Effort(
    cpu=4, cpu_floor=0.15, memory=1500, memory_floor=30, output_floor=30, input=96 << 20, time_out=60,
    cpu_excess=2, memory_excess=400, output_excess=200)
SHORT = Effort(
    cpu=0.4, cpu_floor=0.025, memory=400, memory_floor=20, output_floor=10, input=16 << 20, time_out=15,
    cpu_excess=0.4, memory_excess=100, output_excess=100)

#: Out of all proportion: seconds per megabyte, and bytes per byte.
CPU_RATE = 20
MEMORY_RATE = 1000
OUTPUT_RATE = 1000


@dataclass
class Verdict:
    case: Case
    steps: list
    words: str
    failed: bool


class Judge:
    def __init__(self, tool, folder, effort):
        self.tool = tool
        self.folder = folder
        self.effort = effort
        idle = [measure(tool, lambda box, size: _version(), 0, folder, 30, 1 << 30) for _ in range(5)]
        self.base_cpu = min(run.cpu for run in idle)
        self.base_memory = min(run.memory for run in idle)

    def run(self, case, size):
        result = measure(self.tool, case.generate, size, self.folder, self.effort.time_out, 4 << 30)
        result.cpu = max(0, result.cpu - self.base_cpu)
        result.memory = max(0, result.memory - self.base_memory)
        return result

    def judge(self, case):
        """Runs a case with doubled sizes until they cost enough to be compared, are refused, or fail."""
        effort = self.effort
        steps = []
        size = case.start
        while size <= case.most:
            try:
                step = self.run(case, size)
            except OSError as error:
                if error.errno != errno.E2BIG or not steps:
                    raise
                return Verdict(case, steps, "linear up to what a command line can hold", False)
            steps.append(step)
            failure = self._failure(step)
            if failure:
                return Verdict(case, steps, failure, True)
            refused = step.status not in case.statuses
            if refused and size == case.start:
                return Verdict(case, steps, f"the first input is refused: {_first(step.errors)}", True)
            growth = self._growth(case, steps)
            if growth:
                return Verdict(case, steps, growth, True)
            excess = self._lasting(case, [step], lambda: self._excess(case, step))
            if excess:
                return Verdict(case, steps, excess, True)
            if refused:
                return Verdict(case, steps, f"limit: {_first(step.errors)}", False)
            if case.bound and step.memory > case.bound:
                return Verdict(case, steps, f"takes more than {case.bound} MB", True)
            # A stream must be longer than the part of it that may be kept, whatever that costs.
            if case.bound and step.cpu < 5 and step.input < case.bound << 20:
                size *= 2
                continue
            if step.cpu > max(effort.cpu, case.budget) or step.memory > effort.memory or step.output > 2048 or step.input > effort.input:
                break
            # The next size might not end in time, even if its cost is in proportion.
            if step.cpu * GROWTH > effort.time_out:
                break
            # Far below the budget, processor time is not judged, so that every second size is enough.
            size = steps[-1].size * (4 if step.cpu < case.budget / 4 else 2)
        return Verdict(case, steps, "linear" if self._measurable(steps[-1]) else "below what can be compared", False)

    def _failure(self, step):
        if step.timed_out:
            return f"takes more than {self.effort.time_out:g} s"
        if step.status < 0 and step.output >= 4096:
            return "writes more than 4 GiB"
        if step.status < 0:
            return f"dies from signal {-step.status}: {_first(step.errors)}"
        if "Fatal error" in step.errors:
            return f"traps: {_first(step.errors)}"
        if step.status not in (0, 1, 64, 65, 66, 74):
            return f"ends with the undocumented status {step.status}"
        return None

    def _measurable(self, step):
        effort = self.effort
        return step.cpu > effort.cpu_floor or step.memory > effort.memory_floor or step.output > effort.output_floor

    def _excess(self, case, step):
        """Returns the costs that are too high for the input, however they grow."""
        if step.cpu < case.budget:
            return None
        size = max(step.input, 1) * case.uses / (1 << 20)
        if step.cpu > self.effort.cpu_excess and step.cpu / size > CPU_RATE:
            return f"takes {step.cpu / size:.0f} s per MB"
        if step.memory > self.effort.memory_excess and step.memory / size > MEMORY_RATE:
            return f"takes {step.memory / size:.0f} times the memory of the input"
        if step.output > self.effort.output_excess and step.output / size > OUTPUT_RATE:
            return f"writes {step.output / size:.0f} times the input"
        return None

    def _growth(self, case, steps):
        """Returns the costs that grow too fast over the last two doublings, or over one if only that can be compared."""
        words = self._lasting(case, steps[-3:], lambda: self._fastest(case, steps))
        # A single step, such as when a cache no longer suffices, is not growth: the next doubling has to grow as fast.
        if not words or steps[-1].size * 2 > case.most or steps[-1].cpu > 3 * self.effort.cpu:
            return words
        steps.append(self.run(case, steps[-1].size * 2))
        return self._failure(steps[-1]) or self._lasting(case, steps[-3:], lambda: self._fastest(case, steps))

    def _lasting(self, case, steps, suspicion):
        """Returns the text of a suspicion that repeated measurements confirm, counting the lowest costs. The machine may have
        been busy, but excessive growth shows however often it is measured."""
        for _ in range(REPEATS):
            if not suspicion():
                return None
            for step in steps:
                again = self.run(case, step.size)
                step.cpu = min(step.cpu, again.cpu)
                step.memory = min(step.memory, again.memory)
        return suspicion()

    @staticmethod
    def _growth_per_doubling(first, last, kind):
        return (getattr(last, kind) / getattr(first, kind)) ** (1 / math.log2(last.size / first.size))

    def _fastest(self, case, steps):
        effort = self.effort
        # A different exit status, such as for an overlong line, means different work, which says nothing about growth.
        steps = [step for step in steps[-3:] if step.status == steps[-1].status]
        kinds = (("cpu", effort.cpu_floor), ("memory", effort.memory_floor), ("output", effort.output_floor))
        for kind, floor in kinds:
            if kind == "cpu" and steps[-1].cpu < case.budget:
                continue
            costs = [getattr(step, kind) for step in steps]
            growth = 0
            if len(costs) == 3 and costs[0] > floor:
                growth = self._growth_per_doubling(steps[0], steps[2], kind)
            elif len(costs) >= 2 and costs[-2] > floor and costs[-1] > 16 * floor:
                # The next sizes exceed the budget, so that a second doubling will not be measured.
                growth = self._growth_per_doubling(steps[-2], steps[-1], kind) if costs[-1] > getattr(effort, kind, 1024) else 0
            if growth > GROWTH:
                return f"{kind} grows {growth:.1f} times per doubling"
        return None


def _first(errors):
    lines = errors.strip().splitlines()
    return next((line for line in lines if "rror" in line), lines[0] if lines else "")[:160]


def _version():
    from measure import Command

    return Command(["--version"])
