"""What zero-shot knows: findings without training labels, found, missed and falsely flagged."""

from __future__ import annotations

from collections.abc import Iterable

from explorer.core.figures import share_text
from explorer.core.word_lists import and_list
from explorer.school.lessons.asking import FALSE_ALARM, HIT, MISS, FilmPicker
from explorer.school.lessons.counted import UNSEEN_FINDINGS, LessonFacts, ScoredCohort, counts_and_rate
from explorer.school.lessons.fact import FilmOutcome
from explorer.school.lessons.means import precision_words
from explorer.school.lessons.step import Lesson, LessonStep, NumberLink, NumberMeasure


def _steps(facts: LessonFacts) -> Iterable[LessonStep | None]:
    scored = facts.text_model
    lines = [scored.lines[name] for name in UNSEEN_FINDINGS if name in scored.lines] if scored else []
    if scored is None or not lines:
        return
    picker, model = FilmPicker(facts), scored.name
    most = max(lines, key=lambda line: (line.pooled.sensitivity.value or 0, line.finding))
    least = min(lines, key=lambda line: (line.pooled.sensitivity.value or 0, line.finding))
    high, low = most.pooled, least.pooled

    def cell(finding: str, measure: NumberMeasure, go: str) -> NumberLink:
        return NumberLink("table", go, scored.slice, finding=finding, measure=measure)

    yield picker.film(
        [FilmOutcome(model, most.finding, HIT)],
        f"No training label named {and_list(UNSEEN_FINDINGS)}: the classifier does not look for them. The image-text "
        "model compares the film with the words. Look for yourself first.",
        f"Present, and {model} flagged it, without ever having seen a label of it: it found "
        f"{counts_and_rate(high.sensitivity)} of the films with {most.finding}.",
        cell(most.finding, "sensitivity", "Show its sensitivity"),
    )
    yield picker.film(
        [FilmOutcome(model, most.finding, FALSE_ALARM)],
        "The same words, another film.",
        f"It is absent, but was flagged. Of the films without it {model} correctly did not flag "
        f"{counts_and_rate(high.specificity)}. Flag half of all films and you find half of any disease by chance: "
        "sensitivity alone means nothing.",
        cell(most.finding, "specificity", "Show its specificity"),
    )
    yield picker.film(
        [FilmOutcome(model, least.finding, MISS)],
        "Other words.",
        f"Present, and missed: {model} found {counts_and_rate(low.sensitivity)}. The words for this finding do not "
        "separate films at this threshold. Compare the twin's score with this film's in Simulate: if the two are "
        "alike, the words matched the patient, not the finding.",
        cell(least.finding, "sensitivity", "Show its sensitivity"),
    )
    last = next((line for line in lines if line not in (most, least)), most)
    guessing = share_text(last.pooled.prevalence or 0, 3)
    yield picker.film(
        [FilmOutcome(model, last.finding, HIT)],
        "The last one. Afterwards, open it in Ask and rephrase the finding.",
        f"Present, and flagged. Average precision of {last.finding} is "
        f"{precision_words(facts, scored, last.finding)}; guessing reaches {guessing}. The best unseen finding is "
        f"{_best_words(facts, scored)}. "
        "In Ask the spread of the scores shows how much depends on the wording.",
        cell(last.finding, "precision", "Show its average precision"),
    )


def _best_words(facts: LessonFacts, scored: ScoredCohort) -> str:
    cells = [scored.lines[name].pooled for name in UNSEEN_FINDINGS if name in scored.lines]
    best = max(cells, key=lambda cell: (cell.average_precision or 0, cell.finding))
    return f"{best.finding} with {precision_words(facts, scored, best.finding)}"


LESSON = Lesson(
    "What zero-shot knows",
    "Findings without training labels, scored by an image-text model from their names.",
    "A score for words comes at once, and may mean nothing: before it answers anything, count it on films, with n and "
    "interval, and compare it with guessing.",
    6,
    _steps,
)
