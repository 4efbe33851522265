"""The calls that add films to a new or existing playlist: drawn, typed, simulated, or chosen one by one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Literal, TypedDict, cast, get_args

from explorer.core.word_lists import quantity
from explorer.school.playlists.drawing import BALANCES, Balance, DrawnFilms, draw_from_slice, question_about
from explorer.school.playlists.ordered_films import CenterChoice, SimulationOrder, ordered_films
from explorer.school.playlists.playlist import (
    MAX_FILMS,
    Playlist,
    PlaylistFilm,
    WrongPlaylist,
)
from explorer.school.playlists.playlist_files import PlaylistFiles
from explorer.school.playlists.typed_films import typed_films
from explorer.simulator import WrongRequest
from explorer.store.slices import sentence
from explorer.ui.shared.links import resolve_link, resolve_slice
from explorer.ui.shared.refusals import RefusedPayload, answer_or_refusal, refusal_payload
from explorer.ui.shared.request_values import state_in, string_field, value_in
from explorer.ui.simulate.film_requests import ordered_film
from explorer.ui.teach.difficulty_of_slice import counted_by_difficulty, of_difficulty
from explorer.ui.teach.playlist_payload import PlaylistLinePayload, SavedPlaylistPayload, line_payload
from explorer.ui.teach.sent_playlist import sent_kind, sent_number, sent_question

if TYPE_CHECKING:
    from explorer.store.store import Store

MAX_SEED = 999_999
MAX_ADDED = 200  # films added in one call


class SliceToDrawPayload(TypedDict):
    """A slice of Explore to draw films from: its sentence and its counts.

    `difficulty` counts its films that classes found easy, medium or hard; empty if no class answered any.
    """

    stage: Literal["slice"]
    sentence: str
    films: int
    pairs: int
    title: str
    difficulty: dict[str, int]


class OfferedPlaylistsPayload(TypedDict):
    """The playlists that a film can be added to."""

    stage: Literal["offered"]
    playlists: list[PlaylistLinePayload]


class DrawingCalls:
    """Script functions that fill playlists. Each also takes {into, title}: a playlist's key, or a new one's title."""

    def __init__(self, store: Store, files: PlaylistFiles) -> None:
        self._store = store
        self._files = files

    def playlist_slice(self, sent: object) -> SliceToDrawPayload | RefusedPayload:
        """Take {state, kind}: the counts of a slice."""

        def look() -> SliceToDrawPayload:
            chosen = resolve_slice(self._store, state_in(sent))
            count = self._store.count(chosen)
            unit = self._store.model(chosen.cohort, chosen.model).unit
            words = sentence(chosen, unit)
            return {
                "stage": "slice",
                "sentence": words,
                "films": count.films,
                "pairs": count.pairs,
                "title": f"Films of {chosen.cohort}",  # the slice's own sentence would reveal the answers
                "difficulty": counted_by_difficulty(self._store, chosen, sent_kind(sent)) if _has_kind(sent) else {},
            }

        return answer_or_refusal(look)

    def playlist_drawn(self, sent: object) -> SavedPlaylistPayload | RefusedPayload:
        """Take {state, n, seed, balance, kind, difficulty}: draw films from a slice."""

        def draw() -> DrawnFilms:
            n, seed = sent_number(sent, "n", 20, 1, MAX_FILMS), sent_number(sent, "seed", 0, 0, MAX_SEED)
            chosen = resolve_slice(self._store, state_in(sent))
            keep = of_difficulty(chosen.cohort, value_in(sent, "difficulty"))
            return draw_from_slice(self._store, chosen, n, seed, _balance(sent), sent_kind(sent), keep)

        return answer_or_refusal(lambda: self._into(sent, draw()))

    def playlist_typed(self, sent: object) -> SavedPlaylistPayload | RefusedPayload:
        """Take {text, kind, finding}: add the films of a typed list."""
        return answer_or_refusal(
            lambda: self._into(sent, typed_films(self._store, string_field(sent, "text"), sent_question(sent)))
        )

    def playlist_ordered(self, sent: object) -> SavedPlaylistPayload | RefusedPayload:
        """Take {findings, n, seed, center, low, high, normals, kind}: simulate films."""
        return answer_or_refusal(lambda: self._into(sent, ordered_films(_order(sent))))

    def playlists_offered(self, _: object) -> OfferedPlaylistsPayload | RefusedPayload:
        """The playlists that a film can be added to."""

        def offer() -> OfferedPlaylistsPayload:
            return {"stage": "offered", "playlists": [line_payload(each) for each in self._files.listed().kept]}

        return answer_or_refusal(offer)

    def cases_to_playlist(self, sent: object) -> SavedPlaylistPayload | RefusedPayload:
        """Take {state, cases, findings, kind}: add cases of Explore by their ids, each with its finding."""

        def add() -> SavedPlaylistPayload:
            shown, kind = resolve_link(self._store, state_in(sent)).slice, sent_kind(sent)
            cohort = shown.cohort
            picked_by = shown.model if shown != shown.population() else ""
            cases, findings = value_in(sent, "cases"), value_in(sent, "findings")
            ids = [each for each in cases if isinstance(each, str)] if isinstance(cases, list) else []
            if not 0 < len(ids) <= MAX_ADDED:
                raise WrongPlaylist("No film is chosen, or too many are", f"Choose 1 to {MAX_ADDED}.")
            named = {each: self._store.case_named(cohort, each) for each in dict.fromkeys(ids)}
            films = [
                PlaylistFilm(
                    cohort,
                    case,
                    question_about(kind, string_field(findings, each)),
                    target=string_field(findings, each) if kind == "findings" else "",
                    picked_by=picked_by,
                )
                for each, case in named.items()
                if case is not None
            ]
            if not films:
                raise WrongPlaylist("These cases are no longer in the cohort", "Load the page again.")
            return self._into(sent, DrawnFilms(tuple(films)))

        return answer_or_refusal(add)

    def simulated_to_playlist(self, sent: object) -> SavedPlaylistPayload | RefusedPayload:
        """Take {order: {center, seed, requests}, kind, finding}: add the film shown in Simulate."""

        def add() -> SavedPlaylistPayload:
            where = ordered_film(value_in(sent, "order")).address
            return self._into(sent, DrawnFilms((PlaylistFilm("", where, sent_question(sent)),)))

        try:
            return answer_or_refusal(add)
        except WrongRequest as refusal:
            return refusal_payload(refusal)

    @property
    def calls(self) -> list[Callable[[object], object]]:
        """The functions of Teach's script, each with one argument."""
        return [self.playlist_slice, self.playlist_drawn, self.playlist_typed, self.playlist_ordered]

    def _into(self, sent: object, drawn: DrawnFilms) -> SavedPlaylistPayload:
        """Append films to a playlist, or make a new one from them, skipping those it already has."""
        into, fresh = string_field(sent, "into"), list(drawn.films)

        def added(playlist: Playlist) -> Playlist:
            existing = {(film.cohort, film.case, film.question) for film in playlist.films}
            fresh[:] = (film for film in drawn.films if (film.cohort, film.case, film.question) not in existing)
            return replace(playlist, films=(*playlist.films, *fresh))

        if into:
            kept = self._files.change(into, added)
        else:
            seed = sent_number(sent, "seed", 0, 0, MAX_SEED)
            kept = self._files.add(Playlist(string_field(sent, "title"), drawn.films, seed=seed))
        sentences = [f"{quantity(len(fresh), 'film')} added to {kept.playlist.title}."]
        if repeats := len(drawn.films) - len(fresh):
            sentences.append(f"{quantity(repeats, 'film')} already there with the same question.")
        return {
            "stage": "kept",
            "key": kept.key,
            "title": kept.playlist.title,
            "said": " ".join([*sentences, *drawn.notes]),
            "films": len(kept.playlist.films),
        }


def _has_kind(sent: object) -> bool:
    return value_in(sent, "kind") is not None


def _balance(sent: object) -> Balance:
    found = value_in(sent, "balance")
    if found not in BALANCES:
        raise WrongPlaylist("There is no such balance", "Choose none, finding or outcome.")
    return found


def _order(sent: object) -> SimulationOrder:
    findings = value_in(sent, "findings")
    center = value_in(sent, "center")
    if center not in get_args(CenterChoice):
        raise WrongPlaylist("There is no such center", "Choose A, B or both.")
    return SimulationOrder(
        tuple(dict.fromkeys(each for each in findings if isinstance(each, str))) if isinstance(findings, list) else (),
        sent_number(sent, "n", 12, 1, MAX_FILMS),
        sent_number(sent, "seed", 0, 0, MAX_SEED),
        cast(CenterChoice, center),
        sent_number(sent, "low", 0, 0, 100) / 100,
        sent_number(sent, "high", 100, 0, 100) / 100,
        sent_number(sent, "normals", 0, 0, MAX_FILMS),
        sent_kind(sent),
    )
