"""Another hospital: a network trained at one center, tested at the other, and the price of not having seen it."""

from __future__ import annotations

from collections.abc import Iterable

from explorer.core.rates import Rate
from explorer.school.lessons.asking import CORRECT, FALSE_ALARM, HIT, MISS, Asked
from explorer.school.lessons.counted import LessonFacts, ScoredCohort, center_words, counted_words
from explorer.school.lessons.fact import FilmOutcome
from explorer.school.lessons.means import means
from explorer.school.lessons.step import Lesson, LessonStep, Number


def _steps(facts: LessonFacts) -> Iterable[LessonStep | None]:
    alone, both, search = facts.recipes["center-a"], facts.recipes["bce"], facts.search
    if alone is None or both is None or search is None:
        return
    at_a, at_b = alone.center("A"), alone.center("B")
    finding = _plainest(alone, both, at_b)
    if at_a is None or at_b is None or finding is None:
        return
    names = alone.name, both.name
    asked = Asked(facts, names)
    here, there = (means(search.store, search.cohort, names, "AUROC", f"center {each}") for each in (at_a, at_b))
    if here is None or there is None:
        return
    here_named, there_named = center_words(at_a), center_words(at_b)

    def board(center: str, go: str) -> Number:
        return Number("board", go, alone.slice, measure="auroc", models=names, part=f"center {center}")

    yield asked.film(
        [FilmOutcome(alone.name, finding, HIT)],
        f"A network was trained on films of {here_named} alone. This is one of its own center, "
        "though not one it learned from.",
        f"Present, and flagged. Over the findings its mean AUROC at {here_named} is {here[0].words} "
        f"({here[0].counted}); at {there_named}, a hospital it never saw, {there[0].words} "
        f"({there[0].films:,} films). Do not blame the network yet: B's films are portable and its patients sicker.",
        board(at_a, "Show the mean at its own center"),
        at_a,
    )
    yield asked.film(
        [FilmOutcome(alone.name, finding, MISS), FilmOutcome(both.name, finding, HIT)],
        f"The same finding at {there_named}.",
        f"Present: {alone.name} missed it, and {both.name}, which had seen {there_named}, flagged it. On the same "
        f"films of {there_named} mean AUROC is {there[0].words} without, {there[1].words} with it "
        f"({there[0].counted}). That is the price of never having seen a hospital, and of a third fewer training "
        "films.",
        board(at_b, "Show both means there"),
        at_b,
    )
    alarmed = max(alone.lines, key=lambda name: (_at(alone, name, at_a) - _at(alone, name, at_b), name))
    own, other = (_specificity(alone, alarmed, each) for each in (at_a, at_b))
    yield asked.film(
        [FilmOutcome(alone.name, alarmed, FALSE_ALARM), FilmOutcome(both.name, alarmed, CORRECT)],
        "Another film of the other hospital, and another finding.",
        f"Absent, but flagged by the network that was never here. Its threshold was chosen at {here_named}, where it "
        f"correctly did not flag {counted_words(own)} of the films without it; at {there_named} "
        f"{counted_words(other)}. Ranking and thresholds are two questions: a new hospital needs its own thresholds "
        "before it needs a new network.",
        Number("table", "Show its specificity there", alone.slice, finding=alarmed, measure="specificity", center=at_b),
        at_b,
    )


def _plainest(alone: ScoredCohort, both: ScoredCohort, center: str | None) -> str | None:
    """The finding found more often by `both` than by `alone` at the center, by the largest margin."""
    shared = [name for name in alone.lines if name in both.lines and center is not None]
    gains = {name: _found(both, name, center) - _found(alone, name, center) for name in shared if center}
    return max(gains, key=lambda name: (gains[name], name), default=None)


def _found(scored: ScoredCohort, finding: str, center: str) -> float:
    found = (cell.sensitivity.value for cell in scored.lines[finding].cells if cell.center == center)
    return next(found, None) or 0.0


def _at(scored: ScoredCohort, finding: str, center: str) -> float:
    return _specificity(scored, finding, center).value or 0.0


def _specificity(scored: ScoredCohort, finding: str, center: str) -> Rate:
    cells = scored.lines[finding].cells
    return next((cell.specificity for cell in cells if cell.center == center), Rate(0, 0))


LESSON = Lesson(
    "Another hospital",
    "A network trained at one center, tested at another, next to a network trained at both.",
    '"External" describes the test films, not the model: same weights, other films, another figure. Ask for n and '
    "interval at your own center, and for thresholds chosen there.",
    5,
    _steps,
)
