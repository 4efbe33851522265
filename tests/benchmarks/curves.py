"""Small curves on logarithmic axes, as a row of a table and as a drawing."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

WIDTH, HEIGHT, EDGE = 320, 200, 40  # of a panel, in pixels
COLORS = ("#1f6f8b", "#b5541c")  # dark on white, told apart by the color-blind
DECADE = (1.0, 1000.0)  # ms from the bottom to the top


@dataclass(frozen=True)
class Curve:
    """Milliseconds by size; `by` says of what the size is."""

    by: str
    name: str
    points: Mapping[int, float]
    slope: float

    def row(self) -> str:
        """Return the curve as a row of a Markdown table."""
        points = ", ".join(f"{size:,}: {value:.1f}" for size, value in self.points.items())
        return f"| {self.name} | {self.by} | {points} | {self.slope:.2f} |"


def svg(curves: Sequence[Curve]) -> str:
    """Return a drawing with a panel for each `by`."""
    panels = list(dict.fromkeys(curve.by for curve in curves))
    parts = [_panel([curve for curve in curves if curve.by == by], WIDTH * place) for place, by in enumerate(panels)]
    size = f'width="{WIDTH * len(panels)}" height="{HEIGHT}"'
    style = 'font-family="sans-serif" font-size="11" fill="#222"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size} {style}>\n{"".join(parts)}</svg>\n'


def _panel(curves: Sequence[Curve], left: int) -> str:
    sizes = sorted({size for curve in curves for size in curve.points})
    lines = [_tick(left + EDGE - 4, _y(ms), f"{ms:g} ms", "end") for ms in (1, 10, 100, 1000)]
    lines += [_tick(_x(size, sizes, left), HEIGHT - EDGE + 14, f"{size:,}", "middle") for size in sizes]
    lines.append(_tick(left + WIDTH // 2, HEIGHT - 8, curves[0].by, "middle"))
    for number, (curve, color) in enumerate(zip(curves, COLORS, strict=True)):
        points = " ".join(f"{_x(size, sizes, left):.1f},{_y(ms):.1f}" for size, ms in curve.points.items())
        lines.append(f'<polyline fill="none" stroke="{color}" stroke-width="2" points="{points}"/>')
        words = f"{curve.name}: slope {curve.slope:.2f}"
        lines.append(f'<text x="{left + EDGE + 6}" y="{14 + 14 * number}" fill="{color}">{words}</text>')
    return "".join(f"{line}\n" for line in lines)


def _tick(x: float, y: float, words: str, anchor: str) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{words}</text>'


def _x(size: int, sizes: Sequence[int], left: int) -> float:
    along = math.log(size / sizes[0]) / math.log(sizes[-1] / sizes[0])
    return left + EDGE + 10 + along * (WIDTH - EDGE - 50)


def _y(ms: float) -> float:
    low, high = DECADE
    along = math.log(min(max(ms, low), high) / low) / math.log(high / low)
    return HEIGHT - EDGE - along * (HEIGHT - 2 * EDGE)
