"""Steps about one finding, on cohort films chosen by their facts or on simulated films whose facts a test verifies."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from explorer.core.figures import fixed
from explorer.core.findings import FINDINGS, Outcome
from explorer.school.lessons.fact import FilmFact, FilmOutcome
from explorer.school.lessons.film_search import MIN_VISIBLE_SEVERITY
from explorer.school.lessons.step import LessonStep, NumberLink
from explorer.school.playlists.playlist import FilmQuestion, PlaylistFilm
from explorer.simulator import SIDES, Center, Request
from explorer.simulator.address import make_address
from explorer.simulator.version import NEWEST_DRAWING

if TYPE_CHECKING:
    from explorer.school.lessons.counted import LessonFacts

HIT, MISS, FALSE_ALARM, CORRECT = Outcome.HIT, Outcome.MISS, Outcome.FALSE_ALARM, Outcome.CORRECT_REJECTION


class FilmPicker:
    """Picks the films of a lesson, each only once.

    `models` are those whose stored scores every reveal shows, or the default ones if none is named.
    """

    def __init__(self, facts: LessonFacts, models: tuple[str, ...] = ()) -> None:
        self._models = models
        self._search = facts.search
        self._used: list[str] = []

    def film(
        self, facts: Iterable[FilmOutcome], before: str, note: str, number: NumberLink, center: str | None = None
    ) -> LessonStep | None:
        """Return a step about the first film of the cohort for which the facts hold; None if there is none."""
        found = tuple(facts)
        case = self._search and self._search.first(found, center, self._used)
        if not case or self._search is None:
            return None
        self._used.append(case)
        question = FilmQuestion("present", found[0].finding)
        note += _faint_words(self._search.severity(case, found[0].finding))
        film = PlaylistFilm(self._search.cohort, case, question, before, note, models=self._models)
        return LessonStep(film, number, found)


def _faint_words(severity: float | None) -> str:
    """Return a warning if the only film found shows the finding too faintly."""
    if severity is None or severity >= MIN_VISIBLE_SEVERITY:
        return ""
    return f" It was drawn at severity {fixed(severity)} of 1: too faint to see."


def simulated_step(
    finding: str, severity: float, center: Center, seed: int, facts: tuple[FilmFact, ...], *, view: str = ""
) -> Callable[[str, str, NumberLink], LessonStep]:
    """Return a step about one finding of a simulated patient, on the left side if it can be on either."""
    return _step_maker(_patient(finding, severity, center, seed), finding, facts, "", view)


def healthy_step(
    finding: str, severity: float, center: Center, seed: int, facts: tuple[FilmFact, ...]
) -> Callable[[str, str, NumberLink], LessonStep]:
    """Return a step about a finding that the patient lacks; the reveal shows the film as the twin of one that has it.

    The facts are about that other film.
    """
    return _step_maker(
        make_address(center, seed, [], NEWEST_DRAWING),
        finding,
        facts,
        _patient(finding, severity, center, seed),
        "twin",
    )


def _patient(finding: str, severity: float, center: Center, seed: int) -> str:
    return make_address(center, seed, [Request(finding, "left" if SIDES[finding] else None, severity)], NEWEST_DRAWING)


def _step_maker(
    where: str, finding: str, facts: tuple[FilmFact, ...], shown: str, view: str
) -> Callable[[str, str, NumberLink], LessonStep]:
    def make_step(before: str, note: str, number: NumberLink) -> LessonStep:
        film = PlaylistFilm("", where, FilmQuestion("present", finding), before, note)
        return LessonStep(film, number, facts, shown, view)

    return make_step


def padchest_film_count(finding: str) -> int:
    """Return the number of frontal PadChest films that have a finding."""
    return FINDINGS[finding].padchest_frontal or 0
