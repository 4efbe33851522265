"""The misleading heat map: one on target, one on a healthy film, one not shown, and one that cannot localize."""

from __future__ import annotations

from collections.abc import Iterable

from explorer.school.lessons.asking import FALSE_ALARM, HIT, MISS, healthy_step, simulated_step
from explorer.school.lessons.counted import LessonFacts
from explorer.school.lessons.fact import (
    FilmOutcome,
    HeatInMask,
    MapShownByDefault,
    TwinMapPeak,
    TwinMapShown,
    TwinOutcome,
)
from explorer.school.lessons.step import Lesson, LessonStep, NumberLink

PHANTOM_MODEL = "phantom"  # the facts are about this model's readings


def _steps(facts: LessonFacts) -> Iterable[LessonStep | None]:
    found = (
        FilmOutcome(PHANTOM_MODEL, "Mass", HIT),
        MapShownByDefault(PHANTOM_MODEL, "Mass", True),
        HeatInMask(PHANTOM_MODEL, "Mass", 10),
    )
    yield simulated_step("Mass", 0.9, "A", 300_043, found)(
        "An obvious one, if it is present.",
        "Present, flagged, and marked by the map. The outline is exact, because the film was drawn with it: compare "
        "the share of heat inside the outline with the outline's share of the film, which an uninformed map would "
        "reach.",
        NumberLink("heat", "Show the share of heat", finding="Mass"),
    )
    alarm = (
        TwinOutcome(PHANTOM_MODEL, "Alveolar Pattern", FALSE_ALARM),
        TwinMapShown(PHANTOM_MODEL, "Alveolar Pattern", True),
        TwinMapPeak(PHANTOM_MODEL, "Alveolar Pattern", 0.1),
    )
    yield healthy_step("Alveolar Pattern", 0.9, "B", 300_043, alarm)(
        "Another finding, another patient.",
        "There is nothing: the film is normal, yet the model flagged it. Its map is shown and stays nearly empty on "
        "the scale shared by all its maps. Stretched to its own maximum, as many programs show maps, it would glow "
        "like the first. Look at the scale before you look at the map.",
        NumberLink("score", "Show the score of this healthy film", finding="Alveolar Pattern", center="twin"),
    )
    subtle = FilmOutcome(PHANTOM_MODEL, "Mass", MISS), MapShownByDefault(PHANTOM_MODEL, "Mass", False)
    yield simulated_step("Mass", 0.3, "A", 300_045, subtle)(
        "Look closely.",
        "A subtle one is present, with a score below the threshold, so no map is shown: there is nothing to explain. "
        "Ask for one in Simulate: a map can be drawn for any score, and its existence proves nothing.",
        NumberLink("map", "Show why there is no map", finding="Mass"),
    )
    usual = FilmOutcome(PHANTOM_MODEL, "Hernia", HIT), MapShownByDefault(PHANTOM_MODEL, "Hernia", False)
    yield simulated_step("Hernia", 0.9, "A", 300_041, usual)(
        "A finding with a usual place.",
        "Present, and flagged, but its map is hidden by default. Always pointing to the usual site of hernias does "
        "about as well as these maps: below the film, Simulate says how often each of the two is right.",
        NumberLink("map", "Show how often such a map is correct", finding="Hernia"),
    )
    bent = FilmOutcome(PHANTOM_MODEL, "Kyphosis", HIT), MapShownByDefault(PHANTOM_MODEL, "Kyphosis", True)
    yield simulated_step("Kyphosis", 0.9, "A", 300_041, (*bent, HeatInMask(PHANTOM_MODEL, "Kyphosis", 0.99, 1.01)))(
        "The last one. Where would you point?",
        "Present, and flagged. It has no place of its own: its mask covers everything it bends. The map is the same "
        "everywhere, with as much heat inside the mask as chance would have. A finding that was detected need not be "
        "localized.",
        NumberLink("heat", "Show the share of heat", finding="Kyphosis"),
    )


LESSON = Lesson(
    "The heat map that misleads",
    "Five films, read by phantom. Look first, then see what its maps are worth.",
    "Trust a map only as far as such maps were measured to hit their target, and only on a scale that is the same for "
    "every film. Its existence proves nothing.",
    8,
    _steps,
)
