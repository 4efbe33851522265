"""Why accuracy misleads on the tail: a rare finding missed, falsely flagged and found, and a common one to compare."""

from __future__ import annotations

from collections.abc import Iterable

from explorer.core.figures import fixed, percent_text, share_text
from explorer.core.findings import PADCHEST_FRONTAL
from explorer.core.rates import Rate
from explorer.school.lessons.asking import FALSE_ALARM, HIT, MISS, FilmPicker, padchest_film_count
from explorer.school.lessons.counted import LessonFacts, counts_and_rate
from explorer.school.lessons.fact import FilmOutcome
from explorer.school.lessons.means import precision_words
from explorer.school.lessons.step import Lesson, LessonStep, NumberLink, NumberMeasure


def _steps(facts: LessonFacts) -> Iterable[LessonStep | None]:
    scored, rare, common = facts.classifier, facts.rarest, facts.most_common
    if scored is None or rare not in scored.lines or common not in scored.lines:
        return
    picker, here = FilmPicker(facts), scored.lines[rare].pooled
    model = scored.name
    never = 1 - padchest_film_count(rare) / PADCHEST_FRONTAL

    def cell(measure: NumberMeasure) -> NumberLink:
        return NumberLink("table", f"Show its {measure}", scored.slice, finding=rare, measure=measure)

    yield picker.film(
        [FilmOutcome(model, rare, MISS)],
        f"{rare} is on {padchest_film_count(rare):,} of the {PADCHEST_FRONTAL:,} frontal films of PadChest. A model "
        f"that never flags it is right on {percent_text(never)} of them. Look at this film.",
        f"It is present, and {model} missed it: its score is below the threshold. Accuracy hardly notices. Sensitivity "
        f"counts only films that have it: here {model} found {counts_and_rate(here.sensitivity)}.",
        cell("sensitivity"),
    )
    called = here.specificity.n - here.specificity.hits + here.sensitivity.hits
    yield picker.film(
        [FilmOutcome(model, rare, FALSE_ALARM)],
        "The same finding, another film. Sensitivity says nothing about films without the finding.",
        f"It is absent, yet {model} flagged it. Of the films without it, {model} correctly did not flag "
        f"{counts_and_rate(here.specificity)}. That is nearly all. But of the films flagged for it only "
        f"{counts_and_rate(Rate(here.sensitivity.hits, called))} have it: it is rare here, and far rarer in practice.",
        cell("specificity"),
    )
    yield picker.film(
        [FilmOutcome(model, rare, HIT)],
        "Once more the rare finding. Few films have it, so each of them moves the figure.",
        f"Present, and {model} flagged it. Sensitivity is {counts_and_rate(here.sensitivity)}. One film more or less "
        f"changes it by {fixed(100 / max(here.sensitivity.n, 1), 1)} points: read the interval before the figure.",
        cell("sensitivity"),
    )
    head = scored.lines[common].pooled
    guessing = share_text(head.prevalence or 0), share_text(here.prevalence or 0)
    yield picker.film(
        [FilmOutcome(model, common, HIT)],
        f"A common finding: {common}, on {padchest_film_count(common):,} films of PadChest.",
        f"Present, and flagged. Average precision of {common} is {precision_words(facts, scored, common)}, of {rare} "
        f"{precision_words(facts, scored, rare)}. Guessing reaches the prevalence, {' and '.join(guessing)}: "
        f"judge each by its distance to that.",
        NumberLink("scatter", "Show both beside chance", scored.slice, finding=rare),
    )


LESSON = Lesson(
    "Why accuracy misleads on the tail",
    "Four films, one question each: is the finding present? Answer before the model does.",
    "Accuracy counts films, and almost every film lacks a rare finding. Ask for sensitivity with n and interval, for "
    "the false alarms that come with it, and for the distance to chance.",
    6,
    _steps,
)
