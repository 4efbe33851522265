"""How burned-in text is found: `python -m tests.benchmarks.burned_in`, exits 1 where a goal is missed.

Real films come from TAILSCOPE_SHARED (`../shared`). Most carry a side marker, which is not text; what is flagged was
looked at by eye: all flagged NIH films show words ("PORTABLE" mostly) or lettered markers, and all flagged Hannover
films but two, which show wires ("Bettaufnahme" mostly). Of 48 NIH and 24 Hannover films drawn from the others none
shows a burned-in word, two show words in lead letters. Recall is that of names and dates drawn into such films, once
into every third of the small ones, ten times into each of the twelve large ones. The cuts were chosen on the same
films: expect less on others.
"""

from __future__ import annotations

import os
import random
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from explorer.reading.samples import sample_bytes
from models.films.burned_in import text_regions
from models.radiograph import read_radiograph
from models.statistics import wilson
from tests.benchmarks.command_line import command, report
from tests.benchmarks.timing import Figure, paired_ms
from tests.support.text_on_film import STYLES, Film, drawn

DATA = Path(os.environ.get("TAILSCOPE_SHARED", Path(__file__).parents[3] / "shared")).resolve() / "data"
NEEDS = ("shared",)
TEXTS = (
    "MUSTERMANN^ERIKA",
    "Doe, Jane 1961-04-12",
    "SMITH JOHN M 056Y",
    "ID 4711-0815",
    "12.03.2019 14:07",
    "St. Mary's Hospital",
)
SIZES = {0.012: None, 0.016: 0.8, 0.02: 0.9, 0.03: 0.9, 0.06: 0.9}  # font size as a share of the longest side -> goal


def films(folder: str, most: int | None) -> list[Film]:
    """The films of a folder, in order of name; `most`: the first ones."""
    paths = sorted(path for path in (DATA / folder).iterdir() if path.suffix in (".png", ".jpg", ".jpeg"))
    return [read_radiograph(path.read_bytes()).pixels for path in paths[:most]]


def rate(name: str, hits: int, n: int, goal: float | None = None) -> Figure:
    low, high = wilson(hits, n)
    return Figure(
        f"{name} [{100 * low:.1f}-{100 * high:.1f}], n {n:,}", 100 * hits / n, "%", goal and 100 * goal, least=True
    )


def finds(film: Film, share: float, dice: random.Random) -> bool:
    """Whether a text drawn somewhere into the film is found: a region that covers its middle."""
    size, at = round(share * max(film.shape)), (dice.random(), dice.random())
    marked, (top, left, bottom, right) = drawn(film, dice.choice(TEXTS), size, at, dice.choice(STYLES))
    row, column = (top + bottom) / 2 / film.shape[0], (left + right) / 2 / film.shape[1]
    return any(
        region.row <= row <= region.row + region.height and region.column <= column <= region.column + region.width
        for region in text_regions(marked)
    )


def measured(small: bool) -> Iterator[Figure]:
    """Flagged films as they are; recall of drawn text by size; time."""
    most, times = (6, 1) if small else (None, 10)
    real = {"NIH, 512 px": films("nih_cxr14/images", most), "Hannover, 512 px": films("hannover/images", most)}
    for name, each in real.items():
        yield rate(f"{name}: flagged", sum(bool(text_regions(film)) for film in each), len(each))
    originals = films("nih_cxr14/original", 1 if small else None)
    plain = [film for film in real["NIH, 512 px"] if not text_regions(film)][::3]
    for share, goal in SIZES.items():
        dice = random.Random(0)
        hits = [finds(film, share, dice) for film in plain]
        yield rate(f"drawn text, {100 * share:.1f} % of 512 px", sum(hits), len(hits), goal)
    for share, goal in SIZES.items():
        dice = random.Random(0)
        hits = [finds(film, share, dice) for film in originals for _ in range(times)]
        yield rate(f"drawn text, {100 * share:.1f} % of 1,024 px", sum(hits), len(hits), goal)
    large = np.ascontiguousarray(np.pad(read_radiograph(sample_bytes("masses")).pixels, 200, "reflect")[:2000, :2000])
    yield Figure("2,000 x 2,000 px", paired_ms({"text": lambda: text_regions(large)}, times)["text"], "ms", 60)


def main(words: Sequence[str] | None = None) -> int:
    """Print every figure; 1 where a goal is missed."""
    asked = command(__doc__).parse_args(words)
    return report(measured(asked.small), asked)


if __name__ == "__main__":
    raise SystemExit(main())
