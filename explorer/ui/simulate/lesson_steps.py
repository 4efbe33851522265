"""What lessons are made of: steps, each with a link that sets Simulate or Explore."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import quote_plus, urlencode

from explorer.phantom import SIDES
from explorer.store.slices import Slice
from explorer.ui.explore.links import state_of
from explorer.ui.simulate.lesson_facts import LessonFacts, ScoredCohort

SEED = 300_041  # of no film of the cohort
EXPLORE = "#explore"


@dataclass(frozen=True, slots=True)
class Step:
    """What is said, the fragment of the page that shows it, and what the link is called."""

    words: str
    link: str
    go: str


@dataclass(frozen=True, slots=True)
class Lesson:
    """A lesson; its steps are made when it is opened."""

    title: str
    steps: Callable[[LessonFacts], Iterable[Step]]


def film(finding: str, severity: float, center: str = "A", *, seed: int = SEED, show: str = "masks") -> str:
    """The address of a film in Simulate; a finding that can be on both sides is on the left."""
    side = "left" if SIDES[finding] else ""
    return f"#simulate?center={center}&seed={seed}&{quote_plus(finding)}={side},{severity:.2f}&show={show}"


def films(scored: ScoredCohort | None, panel: str = "table", *, beside: Slice | None = None, **narrowed: Any) -> str:  # noqa: ANN401 - fields of a slice
    """The address of a slice of the simulated cohort in Explore; Explore itself where there is none."""
    if scored is None:
        return EXPLORE
    words = state_of(replace(scored.slice, **narrowed)) | {"panel": panel}
    if beside is not None:
        words["beside"] = urlencode(state_of(beside))
    return f"{EXPLORE}?{urlencode(words)}"
