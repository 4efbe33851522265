"""Prepares a playlist for a class: pictures, truth and the content of each reveal.

Nothing sent to a class names a case or a file, and pictures carry no metadata.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from explorer.analysis.cases.neighbors import neighbors_of
from explorer.asking.abbreviations import ABBREVIATIONS
from explorer.cohorts.film_queue import DECODERS
from explorer.cohorts.film_source import FilmSource, SimulatedFilm
from explorer.cohorts.thumbnails import Thumbnails
from explorer.core.findings import FINDINGS, Outcome
from explorer.reading.anatomy import film_places
from explorer.school.playlists.film_truth import film_truth
from explorer.school.playlists.found_film import CohortFilm, FilmSources, OrderedFilm, find_film
from explorer.school.playlists.playlist import Playlist, PlaylistFilm
from explorer.school.playlists.truth import Truth
from explorer.school.preparing.film_picture import FilmPicture, film_picture
from explorer.school.preparing.flag_words import add_flag_words
from explorer.school.preparing.heat_overlay import cohort_overlays
from explorer.school.preparing.model_scores import stored_calls, stored_outcomes, stored_scores
from explorer.school.preparing.near_films import MAX_NEAR_FILMS, near_case_films, near_films_payload
from explorer.school.preparing.ordered_scores import score_ordered_film
from explorer.school.preparing.outlines import areas
from explorer.school.preparing.prepared import (
    LabeledPayload,
    ModelCall,
    ModelSaysPayload,
    NearFilmPayload,
    PreparedFilm,
    PreparedPlaylist,
    RevealPayload,
)
from explorer.simulator import WrongRequest
from explorer.simulator.address import PhantomFilm
from models.prompts.terms import terms
from models.radiograph import Radiograph
from models.refusal import Refusal

ReportProgress = Callable[[int], None]


@dataclass(frozen=True, slots=True)
class _Evidence:
    """The models' scores of a film, their outcomes of every labeled finding, their calls of all, and near cases."""

    models: list[ModelSaysPayload]
    outcomes: Mapping[str, Mapping[str, Outcome]]
    calls: Mapping[str, Mapping[str, ModelCall]]
    near: list[NearFilmPayload]


def prepare_playlist(
    playlist: Playlist, sources: FilmSources, tell: ReportProgress = lambda done: None
) -> PreparedPlaylist:
    """Prepare every film of the playlist that can be prepared; call `tell` with the number of films done.

    Films that cannot be prepared are left out, with a sentence saying why; scores and maps of missing models are
    omitted.
    """
    films: list[PreparedFilm] = []
    left_out: list[str] = []
    work = _Preparing(playlist, sources)
    for number, entry in enumerate(playlist.films, 1):
        try:
            films.append(work.film(entry))
        except (Refusal, WrongRequest) as refusal:
            left_out.append(f"Film {number} is left out. {_sentence(refusal)}")
        tell(number)
    names = answer_names(playlist, sources)
    return PreparedPlaylist(playlist, tuple(films), names, tuple(left_out), tuple(work.missing))


def answer_names(playlist: Playlist, sources: FilmSources) -> dict[str, tuple[str, ...]]:
    """Return every finding that an answer may name, with its synonyms.

    These are the whole vocabulary and the cohorts' own findings, because a list of the films' findings would reveal the
    answers.
    """
    names = dict.fromkeys(name for name in FINDINGS if name != "Normal")
    available = {each.name for each in sources.store.cohorts()}
    for cohort in sorted({film.cohort for film in playlist.films} & available):
        for model in sources.models(cohort):
            names |= dict.fromkeys(name for name in model.findings if name != "Normal")
    names |= dict.fromkeys(film.question.finding for film in playlist.films if film.question.finding)
    return {name: _other_words(name) for name in names}


def _other_words(name: str) -> tuple[str, ...]:
    """Return the synonyms and abbreviations of a finding, such as PTX for pneumothorax."""
    taught = terms()[name].taught if name in terms() else ()
    called = {word.casefold() for word in (name, *taught)}
    return (*taught, *(short.upper() for short, meaning in ABBREVIATIONS.items() if meaning in called))


def shown_first(playlist: Playlist, film: PlaylistFilm) -> int:
    """Return the index, 0 or 1, of a pair's film with the finding, by the playlist's seed, wherever the pair is."""
    return hashlib.sha256(f"{playlist.seed}/{film.case}/{film.question.finding}".encode()).digest()[0] & 1


def _sentence(refusal: Refusal | WrongRequest) -> str:
    return f"{refusal.title}. {refusal.detail}"


class _Preparing:
    """Prepares films one by one; `missing` collects the gaps in their reveals, each sentence once."""

    def __init__(self, playlist: Playlist, sources: FilmSources) -> None:
        self._playlist = playlist
        self._sources = sources
        self._thumbnails = Thumbnails(sources.images)
        self.missing: dict[str, None] = {}

    def film(self, entry: PlaylistFilm) -> PreparedFilm:
        """Prepare one film. Raises Refusal and WrongRequest if the film is not available."""
        film = find_film(self._sources, entry)
        pair = shown_first(self._playlist, entry) if entry.question.kind == "pair" else None
        truth = film_truth(film, pair=pair)
        radiograph = _read(film.source)
        evidence = self._evidence(film, radiograph, truth, entry)
        pictures = _pictures(film, film_picture(radiograph.pixels), pair)
        return PreparedFilm(
            entry=entry,
            pictures=tuple(each.webp for each in pictures),
            width=pictures[0].width,
            height=pictures[0].height,
            simulated=film.simulated,
            truth=truth,
            reveal=_reveal(entry, truth, evidence, simulated=film.simulated),
            outcomes=evidence.outcomes,
            places=film_places(radiograph) if entry.question.kind == "point" else None,
            calls=evidence.calls,
        )

    def _evidence(
        self, film: CohortFilm | OrderedFilm, radiograph: Radiograph, truth: Truth, entry: PlaylistFilm
    ) -> _Evidence:
        if isinstance(film, OrderedFilm):
            return self._ordered(film, radiograph, truth, entry.question.finding)
        return self._of_cohort(film, radiograph, truth, entry)

    def _of_cohort(self, film: CohortFilm, radiograph: Radiograph, truth: Truth, entry: PlaylistFilm) -> _Evidence:
        """Return stored scores, maps by the page's models, and the nearest cases of the same cohort."""
        sources = self._sources
        reader = None if sources.readers is None else sources.readers.of(film.simulated)
        shown, models = sources.models(film.cohort.name, entry.models), []
        self._note(sources.lacking(entry))
        for manifest in shown:
            scores = stored_scores(film, manifest, truth, entry.question.finding)
            add_flag_words(sources.store, film.cohort.name, manifest, scores["rows"], film.case)
            if entry.models:
                scores["title"] = manifest.title
                scores["rows"].sort(key=lambda row: row["finding"] != entry.question.finding)
            wanted = [row["finding"] for row in scores["rows"]]
            try:
                scores["overlays"], why = cohort_overlays(reader, manifest, film.case.center, radiograph, wanted)
            except Refusal as refusal:
                why = f"No maps by {manifest.model}. {_sentence(refusal)}"
            self._note(why)
            models.append(scores)
        near = self._near(lambda: near_case_films(film, sources, self._thumbnails))
        if entry.picked_by:
            self._note(
                f"Films were chosen by the results of {entry.picked_by}: on those the class is not compared with it.",
            )
        compared = [each for each in shown if each.model != entry.picked_by]
        return _Evidence(models, stored_outcomes(film, compared), stored_calls(film, compared), near)

    def _ordered(self, film: OrderedFilm, radiograph: Radiograph, truth: Truth, finding: str | None) -> _Evidence:
        """Return a simulated film's scores, and its nearest cases in the cohort that the models scored."""
        sources = self._sources
        scores = score_ordered_film(film, radiograph, truth, finding, sources)
        self._note(*scores.missing)
        if scores.scored is None or scores.features is None:
            return _Evidence(scores.models, scores.outcomes, scores.calls, [])
        (cohort, manifest), features = scores.scored, scores.features

        def found() -> list[NearFilmPayload]:
            near = neighbors_of(sources.store, cohort.name, manifest.model).of_film(features, MAX_NEAR_FILMS)
            return near_films_payload(sources, self._thumbnails, cohort.name, manifest.model, near)

        return _Evidence(scores.models, scores.outcomes, scores.calls, self._near(found))

    def _near(self, find: Callable[[], list[NearFilmPayload]]) -> list[NearFilmPayload]:
        try:
            return find()
        except Refusal as refusal:
            self._note(f"Nearest cases are left out. {_sentence(refusal)}")
            return []

    def _note(self, *sentences: str) -> None:
        self.missing |= dict.fromkeys(filter(None, sentences))


def _reveal(entry: PlaylistFilm, truth: Truth, evidence: _Evidence, *, simulated: bool) -> RevealPayload:
    finding = entry.question.finding
    first = finding or entry.target
    return {
        "present": [_labeled(each, truth) for each in sorted(truth.present, key=lambda each: each != first)],
        "absent": [finding] if finding and truth.labels.get(finding) == "absent" else [],
        "normal": truth.normal,
        "pair": truth.pair,
        "source": truth.source,
        "areas": sorted(areas(truth), key=lambda area: area["finding"] != first),
        "models": evidence.models,
        "near": evidence.near,
        "note": entry.note,
        "simulated": simulated,
    }


def _read(source: FilmSource) -> Radiograph:
    """Return the decoded film. Raises UnreadableRadiograph, QueueFull."""
    if isinstance(source, SimulatedFilm):  # does its own queueing
        return source.radiograph()
    with DECODERS.turn(str(source), low_priority=True):
        return source.radiograph()


def _pictures(film: CohortFilm | OrderedFilm, own: FilmPicture, pair: int | None) -> tuple[FilmPicture, ...]:
    if pair is None or not isinstance(film, OrderedFilm):
        return (own,)
    beside = film_picture(_twin(film.film, film.source).radiograph().pixels)
    return (own, beside) if pair == 0 else (beside, own)


def _twin(film: PhantomFilm, source: FilmSource) -> FilmSource:
    """Return the film of the same patient without findings."""
    where = film.twin.address
    return replace(source, address=where) if isinstance(source, SimulatedFilm) else SimulatedFilm(where)


def _labeled(finding: str, truth: Truth) -> LabeledPayload:
    side = truth.sides.get(finding, "none")
    return {"finding": finding, "side": "" if side == "none" else side}
