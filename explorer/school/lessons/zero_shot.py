"""What zero-shot knows: findings that no label named, found, missed, and called where they are not."""

from __future__ import annotations

from collections.abc import Iterable

from explorer.core.figures import share_text
from explorer.core.word_lists import and_list
from explorer.school.lessons.asking import FALSE_ALARM, HIT, MISS, Asked
from explorer.school.lessons.counted import UNSEEN, LessonFacts, ScoredCohort, counted_words
from explorer.school.lessons.fact import FilmOutcome
from explorer.school.lessons.means import precision_words
from explorer.school.lessons.step import Lesson, LessonStep, Measure, Number


def _steps(facts: LessonFacts) -> Iterable[LessonStep | None]:
    scored = facts.text_model
    lines = [scored.lines[name] for name in UNSEEN if name in scored.lines] if scored else []
    if scored is None or not lines:
        return
    asked, model = Asked(facts), scored.name
    most = max(lines, key=lambda line: (line.pooled.sensitivity.value or 0, line.finding))
    least = min(lines, key=lambda line: (line.pooled.sensitivity.value or 0, line.finding))
    high, low = most.pooled, least.pooled

    def cell(finding: str, measure: Measure, go: str) -> Number:
        return Number("table", go, scored.slice, finding=finding, measure=measure)

    yield asked.film(
        [FilmOutcome(model, most.finding, HIT)],
        f"No training label named {and_list(UNSEEN)}: the classifier does not look for them. The image-text model "
        "compares the film with the words. First look yourself.",
        f"There, and {model} flagged it, without ever having seen a label of it: it found "
        f"{counted_words(high.sensitivity)} of the films with {most.finding}.",
        cell(most.finding, "sensitivity", "Show its sensitivity"),
    )
    yield asked.film(
        [FilmOutcome(model, most.finding, FALSE_ALARM)],
        "The same words, another film.",
        f"It is not there, and was flagged. Of the films without it {model} left alone "
        f"{counted_words(high.specificity)}. What calls half of all films finds half of anything: sensitivity alone "
        "says nothing.",
        cell(most.finding, "specificity", "Show its specificity"),
    )
    yield asked.film(
        [FilmOutcome(model, least.finding, MISS)],
        "Other words.",
        f"There, and missed: {model} found {counted_words(low.sensitivity)}. The words of this finding do not part "
        "films at this threshold. Look at the twin's score beside this film's in Simulate: where the two are alike, "
        "the words went with the patient.",
        cell(least.finding, "sensitivity", "Show its sensitivity"),
    )
    last = next((line for line in lines if line not in (most, least)), most)
    guessing = share_text(last.pooled.prevalence or 0, 3)
    yield asked.film(
        [FilmOutcome(model, last.finding, HIT)],
        "The last one. Afterwards open it in Ask and name the finding in other words.",
        f"There, and flagged. Average precision of {last.finding} is {precision_words(facts, scored, last.finding)}, "
        f"guessing reaches {guessing}; the best of the unseen is {_best_words(facts, scored)}. "
        "In Ask the spread of the scores shows how much depends on the wording.",
        cell(last.finding, "precision", "Show its average precision"),
    )


def _best_words(facts: LessonFacts, scored: ScoredCohort) -> str:
    cells = [scored.lines[name].pooled for name in UNSEEN if name in scored.lines]
    best = max(cells, key=lambda cell: (cell.average_precision or 0, cell.finding))
    return f"{best.finding} with {precision_words(facts, scored, best.finding)}"


LESSON = Lesson(
    "What zero-shot knows",
    "Findings that no training label named, scored by an image-text model from their words.",
    "A score for words is there at once, and may mean nothing: count it on films, with n and interval, beside what "
    "guessing reaches, before it answers anything.",
    6,
    _steps,
)
