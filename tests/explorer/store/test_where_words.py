"""Filters of films as a command line has them."""

from __future__ import annotations

from pathlib import Path

import pytest

from explorer.store.filter_kinds import Choices
from explorer.store.slices import sentence
from explorer.store.where_words import SLICE_WORDS, WrongFilter, choices, filters_in, pairs_in, slice_in
from explorer.ui.shared.links import resolve_slice, slice_words
from models.films.film import View
from tests.support.small_cohort import MODEL, NAME, Film, store_of, write_small
from tests.support.wording import Wording


@pytest.fixture
def offered(tmp_path: Path) -> Choices:
    films = [
        Film("a", {"Mass": "present"}, {"Mass": 0.5}, center="North", view="AP", age=47),
        Film("b", {"Mass": "absent"}, {"Mass": 0.5}, center="St. Mary's = 2", sex="F"),
    ]
    return choices(store_of(write_small(tmp_path, films, {})), NAME, MODEL)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("", {}),
        (" , ", {}),
        ("view=AP", {"view": "AP"}),
        ("view=frontal", {"view": "frontal"}),
        (" view = AP , center=North ", {"view": "AP", "center": "North"}),
        ("age=40-59, labels=one", {"age": "40-59", "label_source": "one"}),
        ("center=St. Mary's = 2", {"center": "St. Mary's = 2"}),
    ],
)
def test_filters_are_read_by_their_fields(offered: Choices, text: str, found: dict[str, str]) -> None:
    assert filters_in(pairs_in(text), offered) == found


@pytest.mark.parametrize(
    ("views", "understood", "shown"),
    [
        (("PA", "AP", "lateral"), True, True),
        (("PA", "AP"), True, False),
        (("PA", "lateral", "unknown"), True, False),
        (("lateral", "unknown"), False, False),
    ],
)
def test_frontal_is_pa_or_ap(tmp_path: Path, views: tuple[View, ...], understood: bool, shown: bool) -> None:
    films = [Film(f"{n}", {"Mass": "present"}, {"Mass": 0.5}, view=views[n % len(views)]) for n in range(12)]
    store = store_of(write_small(tmp_path, films, {}))
    known = choices(store, NAME, MODEL)
    assert ("frontal" in SLICE_WORDS["view"].shown(known)) is shown
    if not understood:
        with pytest.raises(WrongFilter, match="No film has view=frontal"):
            filters_in(pairs_in("view=frontal"), known)
        return
    asked = slice_in(store, NAME, MODEL, "view=frontal", {})
    assert store.count(asked).films == sum(film.view in ("PA", "AP") for film in films)
    assert resolve_slice(store, slice_words(asked)) == asked and sentence(asked, "score").endswith("frontal films")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("view", "'view'"),
        ("hospital=North", "center, view, sex, age"),
        ("view=lateral", "AP, PA"),
        ("view=AP, view=AP", "filter view"),
        ("outcome=miss", "no filter 'outcome'"),
    ],
)
def test_what_is_not_there_is_refused_with_what_there_is(
    offered: Choices, text: str, said: str, wording: Wording
) -> None:
    with pytest.raises(WrongFilter) as refused:
        filters_in(pairs_in(text), offered)
    assert said in f"{refused.value.title}: {refused.value.detail}"
    wording(f"{refused.value.title}: {refused.value.detail}")
