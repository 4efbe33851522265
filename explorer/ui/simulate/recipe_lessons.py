"""Two lessons on networks that differ in one thing: how films were sampled, and which hospital they came from.

Every step says what was counted, whichever way it comes out.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from explorer.analysis.performance_table import Cell
from explorer.analysis.two_sides import Measured
from explorer.core.findings import FrequencyGroup
from explorer.store.slices import Slice
from explorer.ui.simulate.lesson_facts import LessonFacts, ScoredCohort
from explorer.ui.simulate.lesson_steps import EXPLORE, Step, films

Cells = dict[str, Cell]  # by finding


def bought(facts: LessonFacts) -> Iterable[Step]:
    """Films as they come, or every finding as often as the others: what that changes, at both ends."""
    plain, sampled = facts.recipes["bce"], facts.recipes["class-aware"]
    yield Step(
        "Two networks learned from the same films, equally long. One saw the films as they come; the other was shown "
        "every finding equally often, so that it saw the rarest again and again. Nothing else differs.",
        _beside(sampled, plain),
        "Open the two",
    )
    yield Step(
        f"Look at the tail. {_both_words(plain, sampled, FrequencyGroup.VERY_RARE, 'average precision')}",
        _beside(sampled, plain, group=FrequencyGroup.VERY_RARE),
        "Open the very rare",
    )
    yield Step(
        f"Then look for the price. {_both_words(plain, sampled, FrequencyGroup.MEDIUM, 'AUROC')}",
        _beside(sampled, plain, group=FrequencyGroup.MEDIUM),
        "Open the medium",
    )
    yield Step(
        "A difference is worth its interval: Compare counts both networks on the same films and resamples those. What "
        "it cannot show: each was trained once, and another seed would have come out otherwise. The lab's page lists "
        "all recipes.",
        _beside(sampled, plain, group=FrequencyGroup.RARE),
        "Open the rare, with intervals",
    )


def another_hospital(facts: LessonFacts) -> Iterable[Step]:
    """A network of center A at center B: what the films cost, and what never having seen them costs."""
    alone, both = facts.recipes["center-a"], facts.recipes["bce"]
    yield Step(
        "This network was trained on films of center A alone. To it center B is another hospital: its films are "
        "external, and the table says so.",
        films(alone),
        "Open its table",
    )
    at_a, at_b, known = _cells(alone, "A"), _cells(alone, "B"), _cells(both, "B")
    price = _mean_words("AUROC", at_b, known, "without B", "with B")
    yield Step(
        f"{_mean_words('AUROC', at_a, at_b, 'at A', 'at B')} Do not blame the network yet: B's films are portable and "
        "its patients sicker. They may be harder for any network.",
        _beside(alone, alone, "A", "B"),
        "Compare A with B",
    )
    yield Step(
        f"So stay at B, and ask a network that had seen it. {price} "
        "The difference is what never having seen a hospital costs, and a third fewer films to learn from.",
        _beside(alone, both, "B", "B"),
        "Compare the two at B",
    )
    yield Step(
        f"Its thresholds were chosen at A. {_mean_words('specificity', at_a, at_b, 'at A', 'at B')} Ranking and "
        "thresholds are two questions: a new hospital needs thresholds of its own before it needs another network.",
        films(alone, "scatter"),
        "Open the scatter",
    )


def _beside(
    one: ScoredCohort | None,
    other: ScoredCohort | None,
    one_at: str | None = None,
    other_at: str | None = None,
    **narrowed: Any,  # noqa: ANN401 - fields of a slice
) -> str:
    """The address of two slices in Compare, each of a center or of all."""
    if one is None or other is None:
        return EXPLORE
    against = Slice(other.cohort.name, other.model.model, center=_named(other, other_at), **narrowed)
    return films(one, "compare", beside=against, center=_named(one, one_at), **narrowed)


def _named(scored: ScoredCohort, letter: str | None) -> str | None:
    """The center of this letter as the cohort calls it; it may be called \"phantom A\"."""
    known = (cell.center for line in scored.lines.values() for cell in line.cells)
    return next((name for name in known if letter and name.split()[-1] == letter), None)


def _cells(scored: ScoredCohort | None, letter: str) -> Cells:
    """What was counted at a center, by finding."""
    lines = scored.lines if scored else {}
    return {name: cell for name, line in lines.items() for cell in line.cells if cell.center.split()[-1] == letter}


def _both_words(
    plain: ScoredCohort | None, sampled: ScoredCohort | None, group: FrequencyGroup, measure: Measured
) -> str:
    if plain is None or sampled is None:
        return f"The groups head to tail are filters of Explore: read the {measure} of the {group} findings."
    one, other = (
        {name: line.pooled for name, line in each.lines.items() if line.group is group} for each in (plain, sampled)
    )
    return _mean_words(measure, one, other, "as they come", "equally often", f"{group} ")


def _mean_words(measure: Measured, one: Cells, other: Cells, first: str, second: str, group: str = "") -> str:
    """The mean of a measure over the findings that both have, and for how many the second is higher."""
    pairs = [
        (before, after)
        for name in one
        if name in other
        and (before := one[name].value(measure)) is not None
        and (after := other[name].value(measure)) is not None
    ]
    if not pairs:
        return f"The table has the {measure} of each finding, with n and interval."
    n = len(pairs)
    before, after = (sum(values) / n for values in zip(*pairs, strict=True))
    higher = sum(two > one for one, two in pairs)
    return (
        f"Mean {measure} of {n} {group}finding{'s' if n > 1 else ''}: {before:.2f} {first}, {after:.2f} {second}; "
        f"higher {second} for {higher} of {n}."
    )
