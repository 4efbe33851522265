"""How alike perturbed films are to themselves: `python -m tests.benchmarks.similarity`; exits 1 where a goal is missed.

A line for each kind that has strengths: the mean structural similarity of films to themselves at strengths 1 to 5, and
how far the worst strength lies from the similarity that all kinds share. First on the 16 NIH films (TAILSCOPE_SHARED,
`../shared`) for which the strengths were matched, where the goal is 0.02; then on 16 others. Kinds that are on or off
have a similarity of their own, and no goal.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from explorer.workshop.shipping.perturbation_strengths import EVERY, films_to_match
from models.perturbations.film import levels
from models.perturbations.kind import Perturbation
from models.perturbations.match import CLOSE_ENOUGH, mean_similarity
from models.perturbations.registry import PERTURBATIONS, SIMILARITIES
from models.radiograph import Radiograph
from tests.benchmarks.command_line import command, report

SHARED = Path(os.environ.get("TAILSCOPE_SHARED", Path(__file__).parents[3] / "shared")).resolve()
FILMS = SHARED / "data" / "nih_cxr14" / "images"
NEEDS = ("shared",)
SMALL_KINDS = ("brightness-up", "marker")


@dataclass(frozen=True)
class Similarities:
    """A kind's mean similarities by strength; `goal` is the largest distance from SIMILARITIES."""

    kind: Perturbation
    means: tuple[float, ...]
    goal: float | None = None

    @property
    def apart(self) -> float:
        """The distance of the worst strength; 0 for a kind that is on or off."""
        pairs = zip(self.means, SIMILARITIES, strict=True) if self.kind.has_dial else ()
        return max((abs(mean - target) for mean, target in pairs), default=0.0)

    @property
    def missed(self) -> bool:
        return self.goal is not None and self.apart > self.goal

    def __str__(self) -> str:
        means = "  ".join(f"{mean:.3f}" for mean in self.means)
        if not self.kind.has_dial:
            return f"  {self.kind.name:<16} {means}"
        goal = "-" if self.goal is None else f"<= {self.goal:g}"
        return f"  {self.kind.name:<16} {means}  apart {self.apart:.3f} {goal:>8}{'  MISSED' if self.missed else ''}"


def measured(kinds: Sequence[str]) -> Iterator[Similarities | str]:
    """Yield the kinds on the films for which strengths were matched, then on films halfway between them."""
    for words, first, goal in (("strengths were matched", 0, CLOSE_ENOUGH), ("nothing was matched", EVERY // 2, None)):
        films = films_to_match(FILMS, first)
        targets = ", ".join(map(str, SIMILARITIES))
        yield f"mean structural similarity of {len(films)} NIH films for which {words}; all kinds share {targets}"
        yield from (_similarities(PERTURBATIONS[name], films, goal) for name in kinds)


def _similarities(kind: Perturbation, films: Mapping[str, Radiograph], goal: float | None) -> Similarities:
    means = tuple(mean_similarity(films, kind, level.dial) for level in levels([kind.name]))
    return Similarities(kind, means, goal if kind.has_dial else None)


def main(words: Sequence[str] | None = None) -> int:
    """Print every figure; 1 where a goal is missed."""
    asked = command(__doc__).parse_args(words)
    return report(measured(SMALL_KINDS if asked.small else tuple(PERTURBATIONS)), asked)


if __name__ == "__main__":
    raise SystemExit(main())
