"""Another hospital: a network trained at one center and tested at the other, and the price of not having seen it."""

from __future__ import annotations

from collections.abc import Iterable

from explorer.core.rates import Rate
from explorer.school.lessons.asking import CORRECT, FALSE_ALARM, HIT, MISS, FilmPicker
from explorer.school.lessons.counted import LessonFacts, ScoredCohort, center_words, counts_and_rate
from explorer.school.lessons.fact import FilmOutcome
from explorer.school.lessons.means import group_means
from explorer.school.lessons.step import Lesson, LessonStep, NumberLink


def _steps(facts: LessonFacts) -> Iterable[LessonStep | None]:
    alone, both, search = facts.recipes["center-a"], facts.recipes["bce"], facts.search
    if alone is None or both is None or search is None:
        return
    at_a, at_b = alone.center("A"), alone.center("B")
    finding = _largest_gain(alone, both, at_b)
    if at_a is None or at_b is None or finding is None:
        return
    names = alone.name, both.name
    picker = FilmPicker(facts, names)
    own_means, other_means = (
        group_means(search.store, search.cohort, names, "AUROC", f"center {each}") for each in (at_a, at_b)
    )
    if own_means is None or other_means is None:
        return
    own_center, other_center = center_words(at_a), center_words(at_b)

    def board(center: str, go: str) -> NumberLink:
        return NumberLink("board", go, alone.slice, measure="auroc", models=names, part=f"center {center}")

    yield picker.film(
        [FilmOutcome(alone.name, finding, HIT)],
        f"A network was trained on films of {own_center} alone. This is one of its own center, "
        "though not one it learned from.",
        f"Present, and flagged. Over the findings its mean AUROC at {own_center} is {own_means[0].words} "
        f"({own_means[0].counted}); at {other_center}, a hospital it never saw, {other_means[0].words} "
        f"({other_means[0].films:,} films). Do not blame the network yet: B's films are portable and its patients "
        "sicker.",
        board(at_a, "Show the mean at its own center"),
        at_a,
    )
    yield picker.film(
        [FilmOutcome(alone.name, finding, MISS), FilmOutcome(both.name, finding, HIT)],
        f"The same finding at {other_center}.",
        f"Present: {alone.name} missed it, and {both.name}, which had seen {other_center}, flagged it. On the same "
        f"films of {other_center} mean AUROC is {other_means[0].words} without, {other_means[1].words} with it "
        f"({other_means[0].counted}). That is the price of never having seen a hospital, and of a third fewer training "
        "films.",
        board(at_b, "Show both means there"),
        at_b,
    )
    alarmed = max(
        alone.lines,
        key=lambda name: (_specificity_value(alone, name, at_a) - _specificity_value(alone, name, at_b), name),
    )
    own, other = (_specificity(alone, alarmed, each) for each in (at_a, at_b))
    yield picker.film(
        [FilmOutcome(alone.name, alarmed, FALSE_ALARM), FilmOutcome(both.name, alarmed, CORRECT)],
        "Another film of the other hospital, and another finding.",
        f"Absent, but flagged by the network that was never here. Its threshold was chosen at {own_center}, where it "
        f"correctly did not flag {counts_and_rate(own)} of the films without it; at {other_center} "
        f"{counts_and_rate(other)}. Ranking and thresholds are two questions: a new hospital needs its own thresholds "
        "before it needs a new network.",
        NumberLink(
            "table", "Show its specificity there", alone.slice, finding=alarmed, measure="specificity", center=at_b
        ),
        at_b,
    )


def _largest_gain(alone: ScoredCohort, both: ScoredCohort, center: str | None) -> str | None:
    """Return the finding that `both` finds more often than `alone` at the center by the largest margin."""
    shared = [name for name in alone.lines if name in both.lines and center is not None]
    gains = {name: _sensitivity(both, name, center) - _sensitivity(alone, name, center) for name in shared if center}
    return max(gains, key=lambda name: (gains[name], name), default=None)


def _sensitivity(scored: ScoredCohort, finding: str, center: str) -> float:
    found = (cell.sensitivity.value for cell in scored.lines[finding].cells if cell.center == center)
    return next(found, None) or 0.0


def _specificity_value(scored: ScoredCohort, finding: str, center: str) -> float:
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
