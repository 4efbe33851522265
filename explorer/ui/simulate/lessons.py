"""Six short lessons: steps of a sentence or two, each with a link that sets Simulate or Explore.

What a step says holds whatever the numbers come out as, or is filled in from them.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TypedDict

from explorer.core.findings import FINDINGS, PADCHEST_FRONTAL, Outcome
from explorer.phantom import SIDES
from explorer.ui.simulate.lesson_facts import (
    UNSEEN,
    LessonFacts,
    ScoredCohort,
    apart,
    missed_words,
    rate_words,
)
from explorer.ui.simulate.lesson_steps import Lesson, Step, film, films
from explorer.ui.simulate.recipe_lessons import another_hospital, bought


def _accuracy(facts: LessonFacts) -> Iterable[Step]:
    rare, scored = facts.rarest, facts.classifier
    count = FINDINGS[rare].padchest_frontal or 0
    never = 100 * (1 - count / PADCHEST_FRONTAL)
    yield Step(
        f"{rare} is on {count:,} of the {PADCHEST_FRONTAL:,} frontal films of PadChest. A model that never calls it is "
        f"right on {never:.2f} % of them, and misses every one.",
        film(rare, 0.8),
        "See one",
    )
    here = scored.lines.get(rare) if scored else None
    said = f" Here {scored.model.model} {missed_words(here.pooled)}." if scored and here else ""
    yield Step(
        "So accuracy over all films says nothing about the tail. Sensitivity counts only the films with the finding; "
        f"they are few, and its interval shows how few.{said}",
        films(scored),
        "Open the table, head to tail",
    )
    yield Step(
        "Each point is a finding: its prevalence, and its average precision. A model that knows nothing lies on the "
        "line of chance, where the two are the same: judge a point by its distance to that line.",
        films(scored, "scatter"),
        "Open the scatter",
    )
    none = here is not None and here.pooled.sensitivity.hits == here.pooled.sensitivity.n
    yield Step(
        f"None of the films here with {rare} was missed: take away its name, and look at the others."
        if none
        else f"Every film here has {rare} and was missed, the worst first. Look for it before you open the scores.",
        films(scored, "films", finding=rare, outcomes=(Outcome.MISS,)),
        "Open the misses",
    )


def _centers(facts: LessonFacts) -> Iterable[Step]:
    line, scored = facts.widest, facts.classifier
    finding = line.finding if line and line.finding in SIDES else "Pleural Effusion"
    yield Step(
        f"{finding} at center A: digital films, mostly PA. Note the score, and how far from the threshold it lies.",
        film(finding, 0.5),
        "Center A",
    )
    yield Step(
        "The same finding, side and severity at center B: portable films, mostly AP, another processing curve, grid "
        "lines, more devices, another patient. See what became of the score, and of the twin's.",
        film(finding, 0.5, "B"),
        "Center B",
    )
    yield Step(f"Two films are not a comparison: count. {_gap_words(facts)}", films(scored), "Open the table")
    if scored and line and line.gap:
        low = replace(scored.slice, finding=finding, center=line.gap.low.center)
        pair = films(scored, "compare", beside=low, finding=finding, center=line.gap.high.center)
    else:
        pair = films(scored)
    yield Step(
        "One threshold serves both centers. Where the scores of a whole center lie lower or higher, it cuts at another "
        "place of them: ask whether the model sees less there, or only says less.",
        pair,
        "Compare the two",
    )


def _gap_words(facts: LessonFacts) -> str:
    line, scored = facts.widest, facts.classifier
    if scored is None or line is None or line.gap is None:
        return "The table has a column for each center, with n and interval."
    high, low = line.gap.high, line.gap.low
    said = "do not overlap" if apart(high.sensitivity, low.sensitivity) else "overlap: these films cannot tell"
    return (
        f"Of {len(scored.lines)} findings {line.finding} differs most: sensitivity {rate_words(high.sensitivity)} at "
        f"{high.center}, {rate_words(low.sensitivity)} at {low.center}. The intervals {said}; and the widest of many "
        "differences is wide by chance too."
    )


def _heat(facts: LessonFacts) -> Iterable[Step]:
    finding = facts.surest or "Pleural Effusion"
    yield Step(
        "The outline is exact, for the film was made with it. Read the share of the heat inside it beside the share of "
        "the film: that is what a map which knows nothing would have inside.",
        film(finding, 0.9),
        "An obvious one",
    )
    yield Step(
        "The same patient without the finding; the outline is where it would be. A map here marks nothing, whatever it "
        "looks like. Press T to switch between them.",
        film(finding, 0.9, show="twin,masks"),
        "Its twin",
    )
    yield Step(
        "A subtle one. Where its score falls below the threshold, no map is shown unasked; ask for one. A map can be "
        "drawn of any score: that there is one proves nothing.",
        film(finding, 0.1),
        "A subtle one",
    )
    yield Step(
        "Kyphosis has no place of its own: its mask is all that it bends. A map that marks a spot does not show where "
        "the finding is, and one that stays empty does not say that it is not there.",
        film("Kyphosis", 0.9),
        "One without a location",
    )


def _zero_shot(facts: LessonFacts) -> Iterable[Step]:
    scored = facts.text_model
    yield Step(
        f"No training label named {', '.join(UNSEEN[:-1])} or {UNSEEN[-1]}: the classifier does not look for them. The "
        "image-text model compares the film with the words.",
        film("Scoliosis", 0.9),
        "See what both say",
    )
    yield Step(
        "Look at the twin's score beside the film's. Where the two are alike, the words went with the patient, not "
        "with the finding.",
        film("Goiter", 0.9),
        "Another one",
    )
    yield Step(f"Now count. {_unseen_words(scored)}", films(scored), "Open its table")
    yield Step(
        "Open this film in Ask and name the finding in other words. The spread shows how much depends on the wording; "
        "a score without a tested threshold is not an answer.",
        film("Osteopenia", 0.9),
        "A film to ask about",
    )


def _unseen_words(scored: ScoredCohort | None) -> str:
    lines = [scored.lines[name] for name in UNSEEN if scored and name in scored.lines]
    rated = [(line.pooled.average_precision or 0, line) for line in lines if line.pooled.average_precision is not None]
    if not rated:
        return "Average precision stands beside the prevalence, which is what chance reaches."
    rated.sort(key=lambda each: each[0])
    said = [
        f"{line.finding} {value:.2f} (prevalence {line.pooled.prevalence or 0:.2f}, n+ {line.pooled.positives})"
        for value, line in (rated[-1], rated[0])
    ]
    return (
        f"Average precision of the unseen findings lies between {said[1]} and {said[0]}; chance reaches the prevalence."
    )


LESSONS = (
    Lesson("Why accuracy misleads on the tail", _accuracy),
    Lesson("Same disease, another center", _centers),
    Lesson("The heat map that misleads", _heat),
    Lesson("What zero-shot knows", _zero_shot),
    Lesson("What sampling buys on the tail", bought),
    Lesson("Another hospital", another_hospital),
)


class LessonStepPayload(TypedDict):
    """A sentence or two, and the link with its words that sets the page."""

    words: str
    link: str
    go: str


class LessonPayload(TypedDict):
    """A lesson."""

    title: str
    steps: list[LessonStepPayload]


def lessons_payload(facts: LessonFacts) -> list[LessonPayload]:
    """Every lesson with its steps, for the bar above the tabs."""
    return [
        {
            "title": lesson.title,
            "steps": [{"words": step.words, "link": step.link, "go": step.go} for step in lesson.steps(facts)],
        }
        for lesson in LESSONS
    ]
