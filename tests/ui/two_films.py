"""A cohort of two films of a visitor's own, at two centers, that the shipped model has scored."""

from __future__ import annotations

from pathlib import Path

from models.cards.classifier_card import classifier_card
from tests.support.small_cohort import Film, write_small

NAME = "own"
FILMS = (
    Film("a", {"Mass": "present"}, {"Mass": 0.1}, center="North", features=[1.0] * 1280),
    Film("b", {"Mass": "absent"}, {"Mass": 0.9}, center="South", features=[2.0] * 1280),
)


def two_films(cohorts: Path) -> None:
    """Write the cohort below `cohorts`."""
    sha256 = classifier_card("nih-ensemble").sha256
    write_small(cohorts, FILMS, {"Mass": 0.5}, name=NAME, model="nih-ensemble", sha256=sha256, in_sample=["South"])
