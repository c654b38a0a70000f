"""The table that a run prints."""

HEADERS = ["workload", "program", "events", "events/s", "ns/event", "min-max", "MB/s", "reading", "matching", "min-max",
           "compile s", "B/rule", "peak MB", "memo", "ratio", "matching"]


def number(value, digits=3):
    """A number with that many significant digits, in groups of thousands."""
    if value is None:
        return "-"
    if value == 0:
        return "0"
    if abs(value) >= 10 ** (digits - 1):
        return f"{value:,.0f}"
    return f"{value:.{digits}g}"


def spread(figures):
    if figures is None or len(figures.values) < 2:
        return "-"
    return "-".join(f"{value:,.0f}" if value >= 10 else f"{value:.2g}" for value in figures.spread)


def ratio(encircle, other):
    """Returns how many times as fast Encircle is: its rate divided by the other's."""
    return f"{other.median / encircle.median:.2f}" if encircle and other and encircle.median else "-"


def row(result, encircle):
    if result.failure:
        return ["", result.program, number(result.events, 9), result.failure] + [""] * (len(HEADERS) - 4)
    total = result.end_to_end
    is_encircle = result is encircle
    return [
        result.workload if is_encircle else "", result.program, number(result.events, 9),
        number(total and 1e9 / total.median, 4), number(total and total.median, 4), spread(total),
        number(total and result.bytes and result.bytes / result.events / total.median * 1e3),
        number(result.reading and result.reading.median), number(result.matching and result.matching.median, 4),
        spread(result.matching), number(result.compile_seconds, 2), number(result.bytes_per_rule),
        number(result.peak_megabytes), number(result.memo_hit, 2),
        "" if is_encircle else ratio(encircle.end_to_end, total),
        "" if is_encircle else ratio(encircle.matching, result.matching)]


def table(groups):
    """One text: for each workload Encircle and then the others. `groups` are lists of results, Encircle's first."""
    rows = [HEADERS] + [row(result, group[0]) for group in groups for result in group]
    # A failure may be wide, and has nothing beside it.
    widths = [max(len(r[i]) for r in rows if i != 3 or r[4:] != [""] * (len(HEADERS) - 4)) for i in range(len(HEADERS))]
    lines = []
    for cells in rows:
        line = "  ".join(cell.ljust(width) if i < 2 else cell.rjust(width) for i, (cell, width) in
                         enumerate(zip(cells, widths)))
        lines.append(line.rstrip())
    notes = sorted({note for group in groups for result in group for note in result.notes})
    return "\n".join(lines + [""] + notes + [
        "CPU time of one thread; medians of the passes, and the least and most of them. reading: events without deciding;",
        "matching: events that have been read. ratio: how many times as fast Encircle is, end to end and in matching."])
