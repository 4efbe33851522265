"""Same disease, another center: missed at one, found at the other, and one patient imaged at both."""

from __future__ import annotations

from collections.abc import Iterable

from explorer.school.lessons.asking import CORRECT, FALSE_ALARM, HIT, MISS, Asked, simulated
from explorer.school.lessons.counted import LessonFacts, apart, center_words, counted_words
from explorer.school.lessons.fact import FilmOutcome, OtherCenterOutcome, TwinOutcome
from explorer.school.lessons.step import Lesson, LessonStep, Number

BOTH = "Central Venous Catheter"  # the finding of the patient imaged at both centers


def _steps(facts: LessonFacts) -> Iterable[LessonStep | None]:
    scored, line = facts.classifier, facts.widest
    if scored is None or line is None or line.gap is None:
        return
    asked, model, finding, high, low = Asked(facts), scored.name, line.finding, line.gap.high, line.gap.low

    def at(center: str, go: str) -> Number:
        return Number("table", go, scored.slice, finding=finding, center=center)

    where, there = center_words(low.center), center_words(high.center)
    yield asked.film(
        [FilmOutcome(model, finding, MISS)],
        f"A film of {where}. The two centers image differently: A is digital, mostly PA; B is portable, mostly AP, "
        "with a different processing curve and more devices.",
        f"It is present, and {model} missed it. At {where} it found {counted_words(low.sensitivity)} of the films with "
        f"{finding}.",
        at(low.center, "Show that center's sensitivity"),
        low.center,
    )
    said = "do not overlap" if apart(high.sensitivity, low.sensitivity) else "overlap, so these films cannot tell"
    yield asked.film(
        [FilmOutcome(model, finding, HIT)],
        f"The same question at {there}.",
        f"Present, and flagged. At {there} it found {counted_words(high.sensitivity)}, at {where} "
        f"{counted_words(low.sensitivity)}. The intervals {said}; and the widest of {len(scored.lines)} differences is "
        "partly wide by chance.",
        at(high.center, "Show the other center's"),
        high.center,
    )
    if model == "phantom":  # the facts hold for its readings
        reads = FilmOutcome(model, BOTH, HIT), OtherCenterOutcome(model, BOTH, MISS), TwinOutcome(model, BOTH, CORRECT)
        yield simulated(BOTH, 0.7, "B", 300_053, reads, view="film,masks,centers")(
            "Films of two patients are not a fair comparison. This patient of center B will be imaged again, at A.",
            "The same patient, the same catheter, side by side in Simulate: flagged at B, missed at A. Body, position "
            "and field are the same; detector, processing, edges and markers differ. Without the catheter it is not "
            "flagged at B. One film shows that it can happen, not how often.",
            Number("elsewhere", "Show its score at A", finding=BOTH),
        )
    rest = [counted_words(each.specificity) for each in (high, low)]
    yield asked.film(
        [FilmOutcome(model, finding, FALSE_ALARM)],
        f"Back at {there}, where more of the films with the finding were found. Is there a price?",
        f"It is absent, but was flagged. Of the films without it {model} correctly did not flag {rest[0]} at {there}, "
        f"{rest[1]} at {where}. One threshold serves both: if a center's scores run higher, more of its films exceed "
        "it.",
        Number("table", "Show its specificity there", scored.slice, None, finding, "specificity", high.center),
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
