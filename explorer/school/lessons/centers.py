"""Same disease, another center: missed at one, found at the other, and a patient imaged at both."""

from __future__ import annotations

from collections.abc import Iterable

from explorer.school.lessons.asking import CORRECT, FALSE_ALARM, HIT, MISS, FilmPicker, simulated_step
from explorer.school.lessons.counted import LessonFacts, center_words, counts_and_rate, intervals_apart
from explorer.school.lessons.fact import FilmOutcome, OtherCenterOutcome, TwinOutcome
from explorer.school.lessons.step import Lesson, LessonStep, NumberLink

TWO_CENTER_FINDING = "Central Venous Catheter"  # the finding of the patient imaged at both centers


def _steps(facts: LessonFacts) -> Iterable[LessonStep | None]:
    scored, line = facts.classifier, facts.widest_gap
    if scored is None or line is None or line.gap is None:
        return
    picker, model, finding, high, low = FilmPicker(facts), scored.name, line.finding, line.gap.high, line.gap.low

    def at(center: str, go: str) -> NumberLink:
        return NumberLink("table", go, scored.slice, finding=finding, center=center)

    center_name, other_center = center_words(low.center), center_words(high.center)
    yield picker.film(
        [FilmOutcome(model, finding, MISS)],
        f"A film of {center_name}. The two centers image differently: A is digital, mostly PA; B is portable, mostly "
        "AP, with a different processing curve and more devices.",
        f"It is present, and {model} missed it. At {center_name} it found {counts_and_rate(low.sensitivity)} of the "
        f"films with {finding}.",
        at(low.center, "Show that center's sensitivity"),
        low.center,
    )
    overlap_words = (
        "do not overlap"
        if intervals_apart(high.sensitivity, low.sensitivity)
        else "overlap, so these films cannot tell"
    )
    yield picker.film(
        [FilmOutcome(model, finding, HIT)],
        f"The same question at {other_center}.",
        f"Present, and flagged. At {other_center} it found {counts_and_rate(high.sensitivity)}, at {center_name} "
        f"{counts_and_rate(low.sensitivity)}. The intervals {overlap_words}; and the widest of {len(scored.lines)} "
        "differences is partly wide by chance.",
        at(high.center, "Show the other center's"),
        high.center,
    )
    if model == "phantom":  # the facts are about this model's readings
        reads = (
            FilmOutcome(model, TWO_CENTER_FINDING, HIT),
            OtherCenterOutcome(model, TWO_CENTER_FINDING, MISS),
            TwinOutcome(model, TWO_CENTER_FINDING, CORRECT),
        )
        yield simulated_step(TWO_CENTER_FINDING, 0.7, "B", 300_053, reads, view="film,masks,centers")(
            "Films of two patients are not a fair comparison. This patient of center B will be imaged again, at A.",
            "The same patient, the same catheter, side by side in Simulate: flagged at B, missed at A. Body, position "
            "and field are the same; detector, processing, edges and markers differ. Without the catheter it is not "
            "flagged at B. One film shows that it can happen, not how often.",
            NumberLink("elsewhere", "Show its score at A", finding=TWO_CENTER_FINDING),
        )
    rest = [counts_and_rate(each.specificity) for each in (high, low)]
    yield picker.film(
        [FilmOutcome(model, finding, FALSE_ALARM)],
        f"Back at {other_center}, where more of the films with the finding were found. Is there a price?",
        f"It is absent, but was flagged. Of the films without it {model} correctly did not flag {rest[0]} at "
        f"{other_center}, {rest[1]} at {center_name}. One threshold serves both: if a center's scores run higher, more "
        "of its films exceed it.",
        NumberLink("table", "Show its specificity there", scored.slice, None, finding, "specificity", high.center),
        high.center,
    )


LESSON = Lesson(
    "Same disease, another center",
    "One finding at two centers, and one patient imaged at both.",
    "A figure belongs to the films it was counted on. Before a model moves to another center, count again there, with "
    "n and interval, and ask whether it detects less or only scores lower.",
    6,
    _steps,
)
