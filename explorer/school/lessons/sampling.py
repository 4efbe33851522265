"""What sampling buys on the tail: two networks that saw each finding differently often."""

from __future__ import annotations

from collections.abc import Iterable

from explorer.core.findings import FrequencyGroup
from explorer.school.lessons.asking import CORRECT, FALSE_ALARM, HIT, MISS, Asked
from explorer.school.lessons.counted import LessonFacts, ScoredCohort, counted_words
from explorer.school.lessons.fact import FilmOutcome
from explorer.school.lessons.means import Averaged, means
from explorer.school.lessons.step import Lesson, LessonStep, Measure, Number
from explorer.store.slices import Slice


def _steps(facts: LessonFacts) -> Iterable[LessonStep | None]:
    plain, often, search = facts.recipes["bce"], facts.recipes["class-aware"], facts.search
    if plain is None or often is None or search is None:
        return
    asked = Asked(facts, (plain.name, often.name))

    def mean(group: FrequencyGroup, measure: Averaged) -> str:
        found = means(search.store, search.cohort, (plain.name, often.name), measure, group)
        if found is None:
            return "This cohort has no such findings."
        return (
            f"Mean {measure} of the {group} findings ({found[0].counted}): {found[0].words} with natural frequencies, "
            f"{found[1].words} with equal ones."
        )

    def board(group: FrequencyGroup, measure: Measure, go: str) -> Number:
        return Number("board", go, often.slice, measure=measure, models=(plain.name, often.name), part=group)

    rare = _plainest(plain, often, FrequencyGroup.VERY_RARE)
    if rare:
        yield asked.film(
            [FilmOutcome(often.name, rare, HIT), FilmOutcome(plain.name, rare, MISS)],
            "Two networks were trained on the same films, equally long. One saw the films at their natural frequency; "
            "the other saw every finding equally often, so the rarest again and again. Look at this film first.",
            f"Present: {often.name}, which saw it often, flagged it; {plain.name} missed it. "
            f"{mean(FrequencyGroup.VERY_RARE, 'AP')}",
            board(FrequencyGroup.VERY_RARE, "precision", "Show both means"),
        )
        first, second = (each.lines[rare].pooled.specificity for each in (plain, often))
        yield asked.film(
            [FilmOutcome(often.name, rare, FALSE_ALARM), FilmOutcome(plain.name, rare, CORRECT)],
            "The same finding. What is the price of seeing it so often?",
            f"Absent; {often.name} flagged it, {plain.name} did not. Of the films without it the first correctly did "
            f"not flag {counted_words(second)}, the other {counted_words(first)}.",
            _compared(plain, often, rare),
        )
    common = _plainest(often, plain, FrequencyGroup.MEDIUM)
    if common:
        yield asked.film(
            [FilmOutcome(plain.name, common, HIT), FilmOutcome(often.name, common, MISS)],
            "Now a finding that is not rare. Seeing the tail again and again means seeing the rest less.",
            f"Present: {plain.name} flagged it, {often.name} missed it. {mean(FrequencyGroup.MEDIUM, 'AUROC')} Judge "
            "the difference by its interval; each network was trained only once, and another seed would give other "
            "results.",
            board(FrequencyGroup.MEDIUM, "auroc", "Show both means"),
        )


def _plainest(one: ScoredCohort, other: ScoredCohort, group: FrequencyGroup) -> str | None:
    """The finding of a group whose sensitivity rises most from the first to the second."""
    both = [name for name, line in one.lines.items() if line.group is group and name in other.lines]
    return max(both, key=lambda name: (_found(other, name) - _found(one, name), name), default=None)


def _found(scored: ScoredCohort, finding: str) -> float:
    return scored.lines[finding].pooled.sensitivity.value or 0.0


def _compared(one: ScoredCohort, other: ScoredCohort, finding: str) -> Number:
    pinned = Slice(one.cohort.name, one.name)
    return Number("compared", "Compare the two", other.slice, pinned, finding, "specificity")


LESSON = Lesson(
    "What sampling buys on the tail",
    "Two networks of the lab that differ in one thing: how often they saw each finding.",
    "Sampling moves more errors than it removes: read the gain on the tail together with the false alarms and with the "
    "findings that are not rare. The lab's page lists all recipes.",
    5,
    _steps,
)
