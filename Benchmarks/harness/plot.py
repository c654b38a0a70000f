"""Plots of measurements: one SVG file, readable on light and on dark pages, without anything to install."""
from math import ceil, floor, log10
from xml.sax.saxutils import escape

WIDTH, HEIGHT = 720, 360
LEFT, RIGHT, TOP, BOTTOM = 72, 16, 40, 52
# Distinct for color-blind readers, too, and on both backgrounds.
COLORS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7"]
STYLE = """
  text { font: 13px system-ui, sans-serif; fill: #24292f }
  .title { font-weight: 600 }
  .grid { stroke: #8c959f; stroke-opacity: .35 }
  .axis { stroke: #57606a }
  @media (prefers-color-scheme: dark) { text { fill: #e6edf3 } .axis { stroke: #8d96a0 } }
"""


class LogAxis:
    """A logarithmic scale from the first tick to the last, in pixels."""

    def __init__(self, values, start, end):
        low, high = min(values), max(values)
        # Decades, or 1, 2 and 5 in each if there are few.
        steps = (1,) if high / low >= 300 else (1, 2, 5)
        ticks = [step * 10.0**power for power in range(floor(log10(low)), ceil(log10(high)) + 1) for step in steps]
        first = max(tick for tick in ticks if tick <= low * 1.001)
        last = min(tick for tick in ticks if tick >= high * 0.999)
        self.ticks = [tick for tick in ticks if first <= tick <= last]
        if len(self.ticks) == 1:
            self.ticks.append(first * 10)
        self.start, self.end = start, end

    def __call__(self, value):
        first, last = self.ticks[0], self.ticks[-1]
        return self.start + (self.end - self.start) * log10(value / first) / log10(last / first)


def tick_label(value):
    """1,000 as 1k: short enough for an axis."""
    for unit, suffix in ((1e6, "M"), (1e3, "k")):
        if value >= unit:
            return f"{value / unit:g}{suffix}"
    return f"{value:g}"


def svg(title, x_label, y_label, series):
    """A plot with logarithmic axes. `series` has the points (x, y) of each line by its name; all are above zero."""
    points = [point for line in series.values() for point in line]
    x = LogAxis([point[0] for point in points], LEFT, WIDTH - RIGHT)
    y = LogAxis([point[1] for point in points], HEIGHT - BOTTOM, TOP)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img">',
        f"<title>{escape(title)}</title>", f"<style>{STYLE}</style>",
        f'<text class="title" x="{LEFT}" y="16">{escape(title)}</text>']
    for tick in x.ticks:
        parts += [f'<line class="grid" x1="{x(tick):.1f}" x2="{x(tick):.1f}" y1="{TOP}" y2="{y.start}"/>',
                  f'<text x="{x(tick):.1f}" y="{y.start + 18}" text-anchor="middle">{tick_label(tick)}</text>']
    for tick in y.ticks:
        parts += [f'<line class="grid" x1="{LEFT}" x2="{x.end}" y1="{y(tick):.1f}" y2="{y(tick):.1f}"/>',
                  f'<text x="{LEFT - 8}" y="{y(tick) + 4:.1f}" text-anchor="end">{tick_label(tick)}</text>']
    parts += [
        f'<path class="axis" fill="none" d="M{LEFT} {TOP}V{y.start}H{x.end}"/>',
        f'<text x="{(x.start + x.end) / 2}" y="{HEIGHT - 12}" text-anchor="middle">{escape(x_label)}</text>',
        f'<text transform="translate(18 {(y.start + y.end) / 2}) rotate(-90)" text-anchor="middle">{escape(y_label)}</text>']
    place = WIDTH - RIGHT
    for (name, line), color in reversed(list(zip(series.items(), COLORS))):
        path = " ".join(f"{x(px):.1f},{y(py):.1f}" for px, py in line)
        parts.append(f'<polyline fill="none" stroke="{color}" stroke-width="2" points="{path}"/>')
        parts += [f'<circle fill="{color}" r="3" cx="{x(px):.1f}" cy="{y(py):.1f}"/>' for px, py in line]
        # The legend, from the right: some 7 pixels per letter.
        place -= 7 * len(name) + 34
        parts += [f'<rect fill="{color}" x="{place}" y="25" width="14" height="4"/>',
                  f'<text x="{place + 19}" y="31">{escape(name)}</text>']
    return "\n".join(parts + ["</svg>", ""])
