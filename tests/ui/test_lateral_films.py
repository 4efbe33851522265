"""Lateral films of a cohort: nothing leaves them out by itself, and the filter "view" chooses them everywhere."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from typing import Any

import pytest

from explorer.analysis.exports.slice_export import export_slice
from explorer.analysis.intervals.intervals_job import IntervalsJob
from explorer.cohorts.images import Images
from explorer.store.slices import Slice
from explorer.ui.explore import slice_calls
from explorer.ui.shared.links import cohort_id, resolve_slice, slice_words
from explorer.ui.shared.services import Services
from tests.support.csv_export import unpacked
from tests.support.small_cohort import store_of
from tests.ui.evaluate_asker import asker
from tests.ui.visits import FINDINGS, MODELS, NAME, STUDIES, visits

EVERY, LATERAL = Slice(NAME, MODELS[0]), Slice(NAME, MODELS[0], view="lateral")


@pytest.fixture(scope="module")
def services(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Services]:
    store = store_of(visits(tmp_path_factory.mktemp("cohorts")))
    with closing(Services(store, Images({}, list), None, IntervalsJob(store, resamples=20, seed=3))) as opened:
        yield opened


def explored(services: Services, **words: str) -> Any:  # noqa: ANN401 - one of several payloads
    offered = {call.__name__: call for call in slice_calls.calls(services)}
    return offered["slice_page"]({"state": {"cohort": cohort_id(NAME), **words}})


def test_every_view_counts_unless_one_is_chosen(services: Services) -> None:
    store = services.store
    assert (store.count(EVERY).films, store.count(EVERY).pairs) == (2 * STUDIES, 2 * STUDIES * len(FINDINGS))
    assert dict(store.facets(NAME, MODELS[0]).of_films["view"]) == {"PA": STUDIES, "lateral": STUDIES}
    opened = store.page(resolve_slice(store, {"cohort": cohort_id(NAME)}), size=100)  # Explore's opening slice
    assert {film.view for film in opened} == {"PA", "lateral"}
    board = asker(services)("board", {"cohort": cohort_id(NAME)})
    assert board["parts"][0]["films"] == 2 * STUDIES


def test_explore_browses_counts_and_links_lateral_films(services: Services) -> None:
    store = services.store
    assert resolve_slice(store, slice_words(LATERAL)) == LATERAL
    assert store.count(LATERAL).films == STUDIES
    assert {film.view for film in store.page(LATERAL, size=100)} == {"lateral"}
    page = explored(services, view="lateral", outcome="")
    assert page["films"] == STUDIES and "lateral films" in page["sentence"]
    assert store.count(Slice(NAME, MODELS[0], view="frontal")).films == STUDIES


def test_evaluate_offers_and_applies_the_lateral_view(services: Services) -> None:
    board = asker(services)("board", {"cohort": cohort_id(NAME), "view": "lateral"})
    (view,) = [each for each in board["filters"] if each["key"] == "view"]
    assert view["chosen"] == "lateral" and "lateral" in [each["word"] for each in view["values"]]
    assert board["parts"][0]["films"] == STUDIES and "lateral films: 40 films" in board["title"]


def test_an_export_has_their_view_and_study(services: Services) -> None:
    rows, _ = unpacked(export_slice(services.store, LATERAL, "csv").data)
    assert {row["view"] for row in rows} == {"lateral"}
    assert {row["study"] for row in rows} == set(map(str, range(STUDIES)))
