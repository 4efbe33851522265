"""What physical perturbations do to calls: `python -m tests.benchmarks.physical`; `--films 300` for more films.

Films are SIMULATED test films of `phantom`, drawn at random. Each is drawn again at strengths 1, 3 and 5 of each kind,
and scored by the same model. Printed for each level: how many calls that were right become wrong, and the reverse, of
findings that the model can judge, with 95 % intervals over patients; and milliseconds of drawing a film.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from explorer.core.figures import percent_rate_text
from explorer.metrics.clustered_rates import clustered_rate
from explorer.simulator.film_png import simulated_png
from explorer.simulator.perturbations.exposed_again import exposed_again
from explorer.simulator.perturbations.registry import physical_levels
from models import load
from models.radiograph import read_radiograph
from tests.benchmarks.command_line import command, report

PHANTOM = Path(__file__).parents[2] / "cache" / "phantom"
FILMS = 100
STRENGTHS = (0, 1, 3, 5)

Bools = NDArray[np.bool_]


def measured(count: int, strengths: Sequence[int]) -> Iterator[str]:
    """A line about the films, and one for each level."""
    model = load.classifier("phantom", "cpu")
    card = model.card
    judged = [place for place, each in enumerate(card.findings) if each not in card.cannot_judge]
    cuts = np.array([card.operating_points[card.findings[place]].threshold for place in judged])
    cases = pd.read_parquet(PHANTOM / "cases.parquet").sample(count, random_state=0)
    labels = pd.read_parquet(PHANTOM / "labels.parquet").query("source == 'the simulator: exact'").astype(str)
    labels = labels.pivot(index="case", columns="finding", values="label")
    present = (labels.loc[cases["case"], list(card.findings)] == "present").to_numpy()[:, judged]
    levels = [level for level in physical_levels() if level.strength in strengths]
    calls = np.empty((1 + len(levels), *present.shape), bool)
    seconds = np.zeros(len(levels))
    for row, address in enumerate(cases["file"]):
        film = read_radiograph(simulated_png(address))
        films = [film]
        for place, level in enumerate(levels):
            start = time.perf_counter()
            films.append(exposed_again(film, level))
            seconds[place] += time.perf_counter() - start
        calls[:, row] = model.score(films)[:, judged] >= cuts
    right = calls[0] == present
    yield f"phantom, {count} SIMULATED test films, {present.size:,} calls, {int(right.sum()):,} of them right unchanged"
    for place, level in enumerate(levels):
        after = calls[1 + place] == present
        lost, won = (_rate_words(turned, of) for turned, of in ((~after, right), (after, ~right)))
        yield f"  {level.name:<20} right to wrong {lost}; wrong to right {won}; {1000 * seconds[place] / count:.0f} ms"


def _rate_words(hits: Bools, counted: Bools) -> str:
    """Hits of the calls that count, with an interval that counts the findings of one patient together."""
    turned, kind, films = hits.ravel(), counted.ravel(), np.repeat(np.arange(len(hits)), hits.shape[1])
    rate = clustered_rate(turned[kind], films[kind])
    return f"{rate.hits:,} of {rate.n:,}: {percent_rate_text(rate)}"


def main(words: Sequence[str] | None = None) -> int:
    """Print the figures; there is no goal."""
    parser = command(__doc__)
    parser.add_argument("--films", type=int, default=FILMS, help="how many films")
    asked = parser.parse_args(words)
    return report(measured(*((2, (0, 1)) if asked.small else (asked.films, STRENGTHS))), asked)


if __name__ == "__main__":
    raise SystemExit(main())
