"""How films come into a playlist, a new one or one that is there: drawn, typed, simulated, or chosen one by one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Literal, TypedDict, cast, get_args

from explorer.core.word_lists import quantity
from explorer.school.playlists.drawing import BALANCES, Balance, Drawn, drawn_from_slice
from explorer.school.playlists.ordered_films import Centers, FilmOrder, ordered_films
from explorer.school.playlists.playlist import (
    ABOUT_ONE_FINDING,
    MOST_FILMS,
    Playlist,
    PlaylistFilm,
    Question,
    QuestionKind,
    WrongPlaylist,
)
from explorer.school.playlists.playlist_files import PlaylistFiles
from explorer.school.playlists.typed_films import typed_films
from explorer.simulator import WrongRequest
from explorer.store.slices import sentence
from explorer.ui.shared.links import State, chosen, nearest
from explorer.ui.shared.refusals import RefusedPayload, refused
from explorer.ui.simulate.film_requests import film_in
from explorer.ui.teach.playlist_payload import KeptPayload, PlaylistLinePayload, line_payload
from explorer.ui.teach.sent_playlist import answered, kind, question, text, value, whole

if TYPE_CHECKING:
    from explorer.store.store import Store

MOST_SEED = 999_999
MOST_ADDED = 200  # films at once


class SlicePayload(TypedDict):
    """A slice of Explore that films may be drawn from: a sentence, and how much it holds."""

    stage: Literal["slice"]
    sentence: str
    films: int
    pairs: int
    title: str


class OfferedPayload(TypedDict):
    """Which playlists a film may go into."""

    stage: Literal["offered"]
    playlists: list[PlaylistLinePayload]


class DrawingCalls:
    """Functions that fill playlists. Each takes {into, title} too: the key of a playlist, or the title of a new one."""

    def __init__(self, store: Store, files: PlaylistFiles) -> None:
        self._store = store
        self._files = files

    def playlist_slice(self, sent: object) -> SlicePayload | RefusedPayload:
        """Take {state}: what a slice holds."""

        def look() -> SlicePayload:
            asked = chosen(self._store, _state(sent))
            count = self._store.count(asked)
            unit = self._store.model(asked.cohort, asked.model).unit
            words = sentence(asked, unit)
            return {
                "stage": "slice",
                "sentence": words,
                "films": count.films,
                "pairs": count.pairs,
                "title": f"Films of {asked.cohort}",  # what the slice is of would tell a class the answers
            }

        return answered(look)

    def playlist_drawn(self, sent: object) -> KeptPayload | RefusedPayload:
        """Take {state, n, seed, balance, kind}: films of a slice."""

        def draw() -> Drawn:
            n, seed = whole(sent, "n", 20, 1, MOST_FILMS), whole(sent, "seed", 0, 0, MOST_SEED)
            return drawn_from_slice(self._store, chosen(self._store, _state(sent)), n, seed, _balance(sent), kind(sent))

        return answered(lambda: self._into(sent, draw()))

    def playlist_typed(self, sent: object) -> KeptPayload | RefusedPayload:
        """Take {text, kind, finding}: films of a typed list."""
        return answered(lambda: self._into(sent, typed_films(self._store, text(sent, "text"), question(sent))))

    def playlist_ordered(self, sent: object) -> KeptPayload | RefusedPayload:
        """Take {findings, n, seed, center, low, high, normals, kind}: films of the simulator."""
        return answered(lambda: self._into(sent, ordered_films(_order(sent))))

    def playlists_offered(self, nothing: object) -> OfferedPayload | RefusedPayload:
        """The playlists that there are, for a film to go into."""

        def offer() -> OfferedPayload:
            return {"stage": "offered", "playlists": [line_payload(each) for each in self._files.listed().kept]}

        return answered(offer)

    def cases_to_playlist(self, sent: object) -> KeptPayload | RefusedPayload:
        """Take {state, cases, findings, kind}: cases of Explore by their ids, each with the finding it is shown for."""

        def add() -> KeptPayload:
            shown, asks = nearest(self._store, _state(sent)).slice, kind(sent)
            cohort = shown.cohort
            picked_by = shown.model if shown != shown.population() else ""
            cases, findings = value(sent, "cases"), value(sent, "findings")
            ids = [each for each in cases if isinstance(each, str)] if isinstance(cases, list) else []
            if not 0 < len(ids) <= MOST_ADDED:
                raise WrongPlaylist("No film is chosen, or too many are", f"Choose 1 to {MOST_ADDED}.")
            named = {each: self._store.case_named(cohort, each) for each in dict.fromkeys(ids)}
            films = [
                PlaylistFilm(
                    cohort,
                    case,
                    _about(asks, text(findings, each)),
                    target=text(findings, each) if asks == "findings" else "",
                    picked_by=picked_by,
                )
                for each, case in named.items()
                if case is not None
            ]
            if not films:
                raise WrongPlaylist("These cases are not in the cohort any more", "Load the page again.")
            return self._into(sent, Drawn(tuple(films)))

        return answered(add)

    def simulated_to_playlist(self, sent: object) -> KeptPayload | RefusedPayload:
        """Take {order: {center, seed, requests}, kind, finding}: the film that Simulate shows."""

        def add() -> KeptPayload:
            where = film_in(value(sent, "order")).address
            return self._into(sent, Drawn((PlaylistFilm("", where, question(sent)),)))

        try:
            return answered(add)
        except WrongRequest as refusal:
            return refused(refusal)

    @property
    def calls(self) -> list[Callable[[object], object]]:
        """What Teach's script may ask, each with one argument."""
        return [self.playlist_slice, self.playlist_drawn, self.playlist_typed, self.playlist_ordered]

    def _into(self, sent: object, drawn: Drawn) -> KeptPayload:
        """Put films at the end of a playlist, or make one of them; those that are in it already are left out."""
        into, fresh = text(sent, "into"), list(drawn.films)

        def added(playlist: Playlist) -> Playlist:
            there = {(film.cohort, film.case, film.question) for film in playlist.films}
            fresh[:] = (film for film in drawn.films if (film.cohort, film.case, film.question) not in there)
            return replace(playlist, films=(*playlist.films, *fresh))

        if into:
            kept = self._files.change(into, added)
        else:
            seed = whole(sent, "seed", 0, 0, MOST_SEED)
            kept = self._files.add(Playlist(text(sent, "title"), drawn.films, seed=seed))
        said = [f"{quantity(len(fresh), 'film')} added to {kept.playlist.title}."]
        if twice := len(drawn.films) - len(fresh):
            said.append(f"{quantity(twice, 'film')} with the same question there already.")
        return {
            "stage": "kept",
            "key": kept.key,
            "title": kept.playlist.title,
            "said": " ".join([*said, *drawn.notes]),
            "films": len(kept.playlist.films),
        }


def _about(asks: QuestionKind, finding: str) -> Question:
    """A question about a finding as its cohort names it."""
    return Question(asks, finding if asks in ABOUT_ONE_FINDING else None)


def _state(sent: object) -> State:
    state = value(sent, "state")
    return state if isinstance(state, Mapping) else {}


def _balance(sent: object) -> Balance:
    found = value(sent, "balance")
    if found not in BALANCES:
        raise WrongPlaylist("There is no such balance", "Choose none, finding or outcome.")
    return found


def _order(sent: object) -> FilmOrder:
    findings = value(sent, "findings")
    center = value(sent, "center")
    if center not in get_args(Centers):
        raise WrongPlaylist("There is no such center", "Choose A, B or both.")
    return FilmOrder(
        tuple(dict.fromkeys(each for each in findings if isinstance(each, str))) if isinstance(findings, list) else (),
        whole(sent, "n", 12, 1, MOST_FILMS),
        whole(sent, "seed", 0, 0, MOST_SEED),
        cast(Centers, center),
        whole(sent, "low", 0, 0, 100) / 100,
        whole(sent, "high", 100, 0, 100) / 100,
        whole(sent, "normals", 0, 0, MOST_FILMS),
        kind(sent),
    )
