"""The heat map that misleads: where it marks, where nothing is to be marked, where none is drawn, where it cannot."""

from __future__ import annotations

from collections.abc import Iterable

from explorer.school.lessons.asking import FALSE_ALARM, HIT, MISS, healthy, simulated
from explorer.school.lessons.counted import LessonFacts
from explorer.school.lessons.fact import FilmOutcome, HeatInMask, MapOnTwin, MapUnasked, PeakOnTwin, TwinOutcome
from explorer.school.lessons.step import Lesson, LessonStep, Number

PHANTOM = "phantom"  # whose readings the facts of these films are


def _steps(facts: LessonFacts) -> Iterable[LessonStep | None]:
    found = FilmOutcome(PHANTOM, "Mass", HIT), MapUnasked(PHANTOM, "Mass", True), HeatInMask(PHANTOM, "Mass", 10)
    yield simulated("Mass", 0.9, "A", 300_043, found)(
        "An obvious one, if it is there.",
        "There, flagged, and the map marks it. The outline is exact, for the film was made with it: read the share of "
        "the heat inside it beside the mask's share of the film, which a map that knows nothing would have inside.",
        Number("heat", "Show the share of the heat", finding="Mass"),
    )
    alarm = (
        TwinOutcome(PHANTOM, "Alveolar Pattern", FALSE_ALARM),
        MapOnTwin(PHANTOM, "Alveolar Pattern", True),
        PeakOnTwin(PHANTOM, "Alveolar Pattern", 0.1),
    )
    yield healthy("Alveolar Pattern", 0.9, "B", 300_043, alarm)(
        "Another finding, another patient.",
        "There is nothing: the film is normal, and the model flagged it all the same. Its map is drawn, and stays "
        "nearly empty on the one scale that all its maps share. Stretched to its own maximum, as many programs show "
        "maps, it would glow like the first. Look at the scale before you look at the map.",
        Number("score", "Show the score of this healthy film", finding="Alveolar Pattern", center="twin"),
    )
    subtle = FilmOutcome(PHANTOM, "Mass", MISS), MapUnasked(PHANTOM, "Mass", False)
    yield simulated("Mass", 0.3, "A", 300_045, subtle)(
        "Look closely.",
        "A subtle one is there, and its score lies below the threshold: no map is shown unasked, for there is nothing "
        "to explain. Ask for one in Simulate: a map can be drawn of any score, and that there is one proves nothing.",
        Number("map", "Show why there is no map", finding="Mass"),
    )
    usual = FilmOutcome(PHANTOM, "Hernia", HIT), MapUnasked(PHANTOM, "Hernia", False)
    yield simulated("Hernia", 0.9, "A", 300_041, usual)(
        "A finding that has its usual place.",
        "There, and flagged; but no map is shown unasked. To point always to where hernias lie does about as well as "
        "these maps: in Simulate stands beside the film how often each of the two is right.",
        Number("map", "Show how often such a map is correct", finding="Hernia"),
    )
    bent = FilmOutcome(PHANTOM, "Kyphosis", HIT), MapUnasked(PHANTOM, "Kyphosis", True)
    yield simulated("Kyphosis", 0.9, "A", 300_041, (*bent, HeatInMask(PHANTOM, "Kyphosis", 0.99, 1.01)))(
        "The last one. Where would you point?",
        "There, and flagged. It has no place of its own: its mask is all that it bends. The map is the same "
        "everywhere, and has as much heat inside the mask as chance would. A finding that was found need not be one "
        "that was located.",
        Number("heat", "Show the share of the heat", finding="Kyphosis"),
    )


LESSON = Lesson(
    "The heat map that misleads",
    "Five films, read by phantom. Look first, then see what its maps are worth.",
    "Believe a map as far as such maps were measured to point to what they are of, and only on a scale that is the "
    "same for every film. That there is one proves nothing.",
    8,
    _steps,
)
