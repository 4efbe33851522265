"""Playlists of every kind, drawn by hypothesis as somebody may have made them."""

from __future__ import annotations

from hypothesis import strategies as st

from explorer.core.findings import FINDINGS
from explorer.school.playlists.playlist import ABOUT_ONE_FINDING, QUESTION_KINDS, FilmQuestion, Playlist, PlaylistFilm
from explorer.school.playlists.playlist_json import checked_playlist
from explorer.simulator import ABNORMAL, Request
from explorer.simulator.address import make_address

_TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=60)
_FINDINGS = st.sampled_from(sorted(FINDINGS))


@st.composite
def _films(draw: st.DrawFn) -> PlaylistFilm:
    texts = [draw(_TEXTS) for _ in range(3)]
    link = "#explore?finding=" + draw(st.sampled_from(["", "Mass"])) if draw(st.booleans()) else ""
    if draw(st.booleans()):
        made_with = draw(st.sampled_from(ABNORMAL))
        case = make_address(draw(st.sampled_from("AB")), draw(st.integers(0, 99)), [Request(made_with)])  # type: ignore[arg-type]
        kind = draw(st.sampled_from(QUESTION_KINDS))
        finding = made_with if kind == "pair" else draw(_FINDINGS)
        question = FilmQuestion(kind, finding if kind in ABOUT_ONE_FINDING else None, texts[2])
        return PlaylistFilm("", case, question, texts[0], texts[1], link)
    kind = draw(st.sampled_from([each for each in QUESTION_KINDS if each != "pair"]))
    question = FilmQuestion(kind, draw(_FINDINGS) if kind in ABOUT_ONE_FINDING else None, texts[2])
    case = draw(st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=40))
    models = tuple(draw(st.lists(st.sampled_from(["phantom", "lab-bce-0", "gone"]), max_size=3, unique=True)))
    cohort = draw(st.sampled_from(["phantom", "nih-oof", "gone"]))
    return PlaylistFilm(cohort, case, question, texts[0], texts[1], link, models=models)


@st.composite
def playlists(draw: st.DrawFn) -> Playlist:
    title = draw(_TEXTS.filter(lambda text: any(each.isalnum() for each in text)))
    films = tuple(draw(st.lists(_films(), max_size=5)))
    return checked_playlist(Playlist(title, films, draw(_TEXTS), draw(_TEXTS), draw(st.integers(0, 2**53 - 1))))
