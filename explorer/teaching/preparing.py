"""A playlist made ready for a class: pictures, truth, and all that the reveal shows.

Nothing that a class is given names a case or a file, and no picture carries more than what is seen on it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import replace

from explorer.cohorts.film_source import FilmSource, SimulatedFilm
from explorer.core.findings import FINDINGS
from explorer.phantom import WrongRequest
from explorer.phantom.address import PhantomFilm, address
from explorer.teaching.film_picture import FilmPicture, film_picture
from explorer.teaching.film_truth import film_truth
from explorer.teaching.found_film import CohortFilm, OrderedFilm, Sources, found_film
from explorer.teaching.model_scores import stored_scores
from explorer.teaching.outlines import areas
from explorer.teaching.playlist import Playlist, PlaylistFilm
from explorer.teaching.prepared import LabeledPayload, ModelSaysPayload, PreparedFilm, PreparedPlaylist, RevealPayload
from explorer.teaching.truth import Truth
from models.prompts.terms import terms
from models.refusal import Refusal

Tell = Callable[[int], None]


def prepared(playlist: Playlist, sources: Sources, tell: Tell = lambda done: None) -> PreparedPlaylist:
    """Every film of the playlist that can be made ready; `tell` is told how many were looked at.

    Films that cannot are left out, with a sentence.
    """
    films: list[PreparedFilm] = []
    left_out: list[str] = []
    for number, asked in enumerate(playlist.films, 1):
        try:
            films.append(_film(playlist, asked, sources))
        except (Refusal, WrongRequest) as refusal:
            left_out.append(f"Film {number} is left out: {refusal.title}. {refusal.detail}")
        tell(number)
    return PreparedPlaylist(playlist, tuple(films), answer_names(playlist, sources), tuple(left_out))


def answer_names(playlist: Playlist, sources: Sources) -> dict[str, tuple[str, ...]]:
    """Every finding that an answer may name, with the words by which it is found too.

    The whole vocabulary, and what the playlist's cohorts call their own: a list of what is on the films would tell.
    """
    names = dict.fromkeys(name for name in FINDINGS if name != "Normal")
    there = {each.name for each in sources.store.cohorts()}
    for cohort in sorted({film.cohort for film in playlist.films} & there):
        for model in sources.models(cohort):
            names |= dict.fromkeys(name for name in model.findings if name != "Normal")
    names |= dict.fromkeys(film.question.finding for film in playlist.films if film.question.finding)
    known = terms()
    return {name: known[name].taught if name in known else () for name in names}


def shown_first(playlist: Playlist, film: PlaylistFilm) -> int:
    """The place of a pair's film with the finding, 0 or 1: by the playlist's seed, wherever the pair stands in it."""
    return hashlib.sha256(f"{playlist.seed}/{film.case}/{film.question.finding}".encode()).digest()[0] & 1


def _film(playlist: Playlist, asked: PlaylistFilm, sources: Sources) -> PreparedFilm:
    film = found_film(sources, asked)
    pair = shown_first(playlist, asked) if asked.question.kind == "pair" else None
    truth = film_truth(film, pair=pair)
    pictures = _pictures(film, pair)
    return PreparedFilm(
        asked=asked,
        pictures=tuple(each.webp for each in pictures),
        width=pictures[0].width,
        height=pictures[0].height,
        simulated=film.simulated,
        truth=truth,
        reveal=_reveal(film, asked, truth, sources),
    )


def _pictures(film: CohortFilm | OrderedFilm, pair: int | None) -> tuple[FilmPicture, ...]:
    own = _picture(film.source)
    if pair is None or not isinstance(film, OrderedFilm):
        return (own,)
    beside = _picture(_twin(film.film, film.source))
    return (own, beside) if pair == 0 else (beside, own)


def _picture(source: FilmSource) -> FilmPicture:
    return film_picture(source.radiograph().pixels)


def _twin(film: PhantomFilm, source: FilmSource) -> FilmSource:
    """The same patient without a finding."""
    where = address(film.center, film.seed, ())
    return replace(source, address=where) if isinstance(source, SimulatedFilm) else SimulatedFilm(where)


def _reveal(film: CohortFilm | OrderedFilm, asked: PlaylistFilm, truth: Truth, sources: Sources) -> RevealPayload:
    finding = asked.question.finding
    return {
        "present": [_labeled(each, truth) for each in truth.present],
        "absent": [finding] if finding and truth.labels.get(finding) == "absent" else [],
        "normal": truth.normal,
        "pair": truth.pair,
        "source": truth.source,
        "areas": areas(truth),
        "models": _models(film, truth, finding, sources),
        "near": [],
        "note": asked.note,
        "simulated": film.simulated,
    }


def _labeled(finding: str, truth: Truth) -> LabeledPayload:
    side = truth.sides.get(finding, "none")
    return {"finding": finding, "side": "" if side == "none" else side}


def _models(
    film: CohortFilm | OrderedFilm, truth: Truth, finding: str | None, sources: Sources
) -> list[ModelSaysPayload]:
    if isinstance(film, OrderedFilm):
        return []
    return [stored_scores(film, made, truth, finding) for made in sources.models(film.cohort.name)]
