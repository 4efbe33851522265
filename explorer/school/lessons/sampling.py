"""What sampling buys on the tail: two networks that saw each finding with different frequency."""

from __future__ import annotations

from collections.abc import Iterable

from explorer.core.findings import FrequencyGroup
from explorer.school.lessons.asking import CORRECT, FALSE_ALARM, HIT, MISS, FilmPicker
from explorer.school.lessons.counted import LessonFacts, ScoredCohort, counts_and_rate
from explorer.school.lessons.fact import FilmOutcome
from explorer.school.lessons.means import AveragedMetric, group_means
from explorer.school.lessons.step import Lesson, LessonStep, NumberLink, NumberMeasure
from explorer.store.slices import Slice


def _steps(facts: LessonFacts) -> Iterable[LessonStep | None]:
    plain, often, search = facts.recipes["bce"], facts.recipes["class-aware"], facts.search
    if plain is None or often is None or search is None:
        return
    picker = FilmPicker(facts, (plain.name, often.name))

    def mean(group: FrequencyGroup, measure: AveragedMetric) -> str:
        found = group_means(search.store, search.cohort, (plain.name, often.name), measure, group)
        if found is None:
            return "This cohort has no such findings."
        return (
            f"Mean {measure} of the {group} findings ({found[0].counted}): {found[0].words} with natural frequencies, "
            f"{found[1].words} with equal ones."
        )

    def board(group: FrequencyGroup, measure: NumberMeasure, go: str) -> NumberLink:
        return NumberLink("board", go, often.slice, measure=measure, models=(plain.name, often.name), part=group)

    rare = _largest_gain(plain, often, FrequencyGroup.VERY_RARE)
    if rare:
        yield picker.film(
            [FilmOutcome(often.name, rare, HIT), FilmOutcome(plain.name, rare, MISS)],
            "Two networks were trained on the same films, equally long. One saw the films at their natural frequency; "
            "the other saw every finding equally often, so the rarest again and again. Look at this film first.",
            f"Present: {often.name}, which saw it often, flagged it; {plain.name} missed it. "
            f"{mean(FrequencyGroup.VERY_RARE, 'AP')}",
            board(FrequencyGroup.VERY_RARE, "precision", "Show both means"),
        )
        first, second = (each.lines[rare].pooled.specificity for each in (plain, often))
        yield picker.film(
            [FilmOutcome(often.name, rare, FALSE_ALARM), FilmOutcome(plain.name, rare, CORRECT)],
            "The same finding. What is the price of seeing it so often?",
            f"Absent; {often.name} flagged it, {plain.name} did not. Of the films without it the first correctly did "
            f"not flag {counts_and_rate(second)}, the other {counts_and_rate(first)}.",
            _comparison(plain, often, rare),
        )
    common = _largest_gain(often, plain, FrequencyGroup.MEDIUM)
    if common:
        yield picker.film(
            [FilmOutcome(plain.name, common, HIT), FilmOutcome(often.name, common, MISS)],
            "Now a finding that is not rare. Seeing the tail again and again means seeing the rest less.",
            f"Present: {plain.name} flagged it, {often.name} missed it. {mean(FrequencyGroup.MEDIUM, 'AUROC')} Judge "
            "the difference by its interval; each network was trained only once, and another seed would give other "
            "results.",
            board(FrequencyGroup.MEDIUM, "auroc", "Show both means"),
        )


def _largest_gain(one: ScoredCohort, other: ScoredCohort, group: FrequencyGroup) -> str | None:
    """Return the finding of a group whose sensitivity rises most from the first network to the second."""
    both = [name for name, line in one.lines.items() if line.group is group and name in other.lines]
    return max(both, key=lambda name: (_sensitivity(other, name) - _sensitivity(one, name), name), default=None)


def _sensitivity(scored: ScoredCohort, finding: str) -> float:
    return scored.lines[finding].pooled.sensitivity.value or 0.0


def _comparison(one: ScoredCohort, other: ScoredCohort, finding: str) -> NumberLink:
    pinned = Slice(one.cohort.name, one.name)
    return NumberLink("compared", "Compare the two", other.slice, pinned, finding, "specificity")


LESSON = Lesson(
    "What sampling buys on the tail",
    "Two networks of the lab that differ in one thing: how often they saw each finding.",
    "Sampling moves more errors than it removes: read the gain on the tail together with the false alarms and with the "
    "findings that are not rare. The lab's page lists all recipes.",
    5,
    _steps,
)
