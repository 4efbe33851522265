"""Facts about a playlist's films for the editor: name, labels, availability."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from explorer.core.figures import fixed
from explorer.school.playlists.found_film import FilmSources
from explorer.school.playlists.playlist import PlaylistFilm
from explorer.simulator.address import PhantomFilm, parse_film_address
from explorer.simulator.request import Request
from explorer.store.results import CaseLine


@dataclass(frozen=True, slots=True)
class PlaylistFilmFacts:
    """A film's `name` and `labels` in words, its `line` if it is in a cohort here, and why it is `unavailable`, or "".

    `pairs` are the findings that a pair question can ask about, for simulated films outside a cohort. `lacking` names
    those of the film's models that its cohort does not have.
    """

    name: str
    labels: str
    line: CaseLine | None
    unavailable: str
    simulated: bool
    pairs: tuple[str, ...] = ()
    lacking: str = ""


def playlist_film_facts(sources: FilmSources, films: Sequence[PlaylistFilm]) -> list[PlaylistFilmFacts]:
    """Return the facts about each film, in order. Raises the store's errors."""
    cohorts = {each.name: each.simulated for each in sources.store.cohorts()}
    lines: dict[tuple[str, str], CaseLine] = {}
    for cohort in {film.cohort for film in films} & cohorts.keys():
        names = sorted({film.case for film in films if film.cohort == cohort})
        lines |= {(cohort, line.case): line for line in sources.store.cases(cohort, names)}
    return [_facts(sources, film, cohorts, lines) for film in films]


def unavailable_words(facts: Sequence[PlaylistFilmFacts]) -> str:
    """Return how many films are not on this machine and why, and which models are missing; empty if all is there."""
    lacking = list(dict.fromkeys(each.lacking for each in facts if each.lacking))[:5]
    reasons = list(dict.fromkeys(each.unavailable for each in facts if each.unavailable))
    if not reasons:
        return " ".join(lacking)
    count = sum(bool(each.unavailable) for each in facts)
    films = "1 film is" if count == 1 else f"{count:,} films are"
    unavailable = f"{films} not on this machine: {' '.join(reasons[:5])}{' ...' if len(reasons) > 5 else ''}"
    return " ".join([unavailable, *lacking])


def _facts(
    sources: FilmSources, film: PlaylistFilm, cohorts: dict[str, bool], lines: dict[tuple[str, str], CaseLine]
) -> PlaylistFilmFacts:
    if not film.cohort:
        return _simulated_facts(parse_film_address(film.case))
    name = f"{film.case} of {film.cohort}"
    if film.cohort not in cohorts:
        return PlaylistFilmFacts(name, "", None, f"There is no cohort {film.cohort}.", False)
    simulated, line = cohorts[film.cohort], lines.get((film.cohort, film.case))
    if line is None:
        return PlaylistFilmFacts(name, "", None, f"{film.cohort} has no case {film.case}.", simulated)
    labels = ", ".join(line.present) or ("none of these" if line.none_of_these else "no finding labeled")
    here = sources.images.film(line.root, line.file) is not None
    unavailable = (
        "" if here else f"The images of {film.cohort} are missing: start with --images {line.root or 'NAME'}=DIR."
    )
    return PlaylistFilmFacts(name, labels, line, unavailable, simulated, lacking=sources.lacking(film))


def _simulated_facts(film: PhantomFilm) -> PlaylistFilmFacts:
    made = [" ".join(filter(None, (each.finding, each.side, _severity(each)))) for each in film.requests]
    findings = tuple(each.finding for each in film.requests)
    return PlaylistFilmFacts(f"{film.case} of the simulator", ", ".join(made) or "Normal", None, "", True, findings)


def _severity(request: Request) -> str:
    return "" if request.severity is None else fixed(request.severity)
