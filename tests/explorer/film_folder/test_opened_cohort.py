"""A folder in Explore: to whoever has its address, with the films that were read so far, gone with the folder."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from explorer.cohorts.case_marks import saved_marks
from explorer.cohorts.film_source import StoredFilm
from explorer.cohorts.images import Images
from explorer.cohorts.layout import HOME_VARIABLE, NoCohort, cohort_folder
from explorer.cohorts.manifest import COMING
from explorer.cohorts.mark_edits import starring
from explorer.cohorts.public_ids import opaque_id
from explorer.cohorts.thumbnails import Thumbnails
from explorer.cohorts.unlisted import PUBLIC_NAME, is_unlisted
from explorer.film_folder.kept_cohort import keep_as_cohort
from explorer.film_folder.limits import NoFolder
from explorer.film_folder.open_folders import OpenFolders
from explorer.film_folder.visitor_folder import VisitorFolder
from explorer.store.slices import Slice, sentence
from explorer.store.store import Store
from explorer.ui.explore.provenance_payload import provenance_payload
from explorer.ui.shared.facets import offered_cohorts
from explorer.ui.shared.links import cohort_id, resolve_link, resolve_slice, slice_words
from tests.explorer.film_folder.test_visitor_folder import Turned
from tests.explorer.film_folder.visitor import PATIENCE, film, readers, scores_of, sha256
from tests.support.wording import Wording, line_with

FILMS = {f"ward/film {seed}.png": film(seed) for seed in range(5)}
FINDINGS = ("Mass", "Nodule", "Hernia", "Edema", "Normal")


@pytest.fixture
def store() -> Iterator[Store]:
    store = Store(list)
    yield store
    store.close()


def opened(place: Path, store: Store) -> VisitorFolder:
    place.mkdir(exist_ok=True)
    return VisitorFolder(place, readers(), len(FILMS), unlisted=store.unlisted)


def bring(mine: VisitorFolder, names: list[str]) -> None:
    before = mine.progress().read
    for name in names:
        mine.incoming.add(FILMS[name], name)
    deadline = time.monotonic() + PATIENCE
    while mine.progress().read < before + len(names):
        assert time.monotonic() < deadline
        time.sleep(0.01)


def films_of(store: Store, name: str) -> dict[str, dict[str, np.float32]]:
    scored = store.scored(name, "five", list(FILMS))
    return {case: {finding: np.float32(said.score) for finding, said in line.items()} for case, line in scored.items()}


def drawn(names: list[str]) -> dict[str, dict[str, np.float32]]:
    return {name: dict(zip(FINDINGS, scores_of(sha256(FILMS[name])), strict=True)) for name in names}


def test_what_is_read_so_far_and_all_of_it_afterwards(tmp_path: Path, store: Store, wording: Wording) -> None:
    mine, names = opened(tmp_path / "a", store), list(FILMS)
    with pytest.raises(NoFolder, match="nothing to explore yet"):
        mine.explore()
    bring(mine, names[:2])
    name = mine.explore()
    assert name == mine.explore() and is_unlisted(name) and films_of(store, name) == drawn(names[:2])
    assert store.cohort(name).counts[COMING] == 3
    wording(line_with(provenance_payload(store, name)["passing"], "3 files"))
    store.change_marks(name, starring(names[:1], on=True))
    bring(mine, names[2:3])
    assert films_of(store, mine.explore()) == drawn(names[:3])
    bring(mine, names[3:])
    mine.incoming.complete()
    assert mine.wait(PATIENCE) and films_of(store, name) == drawn(names), "nobody asked again"
    assert COMING not in store.cohort(name).counts and store.marks(name).of(names[0]).starred
    images, thumbnails = Images({}, store.every_folder), Thumbnails(Images({}, store.every_folder))
    for case, data in FILMS.items():
        found = store.case(name, case)
        assert found is not None and found.root is not None
        path = images.path(found.root, found.file)
        assert path is not None and path.read_bytes() == data
        small = thumbnails.kept(store.folder(name), opaque_id(name, "case", case), StoredFilm(path))
        assert small is not None and small[8:12] == b"WEBP", "made when the film was read"
    link = slice_words(Slice(name, "five", finding="Mass", outcomes=()))
    assert resolve_link(store, link).complaints == ()
    mine.read_again(readers(Turned()))
    assert mine.wait(PATIENCE)
    led = resolve_link(store, link)
    assert (led.slice.model, led.slice.finding) == ("turned", "Mass"), "the rest of the link means what it did"
    assert len(led.complaints) == 1
    wording(led.complaints, "turned")
    assert [each.model for each in store.models(name)] == ["turned"] and store.marks(name).of(names[0]).starred
    with pytest.raises(NoCohort) as caught:
        store.count(Slice(name, "five"))
    wording(caught.value, PUBLIC_NAME)
    mine.close()
    assert not (tmp_path / "a").exists() and list(tmp_path.iterdir()) == []


def test_it_is_found_by_its_address_alone(tmp_path: Path, store: Store) -> None:
    mine, other = opened(tmp_path / "a", store), opened(tmp_path / "b", store)
    for each in (mine, other):
        bring(each, list(FILMS))
    name, beside = mine.explore(), other.explore()
    assert name != beside and store.cohorts() == () and store.left_out() == ()
    asked = resolve_slice(store, {"cohort": cohort_id(name)})
    assert asked == Slice(name, "five", source=asked.source) and store.count(asked).films == 5
    assert PUBLIC_NAME in sentence(asked, "score") and name not in sentence(asked, "score")
    assert [each.name for each in offered_cohorts(store, name)] == [name], "not that of the other visitor"
    with pytest.raises(NoCohort) as refused:
        store.count(Slice("unknown", "five"))
    assert PUBLIC_NAME not in str(refused.value)
    assert store.cohort_of_id(opaque_id(name)) == name and store.cohort_of_id(opaque_id(PUBLIC_NAME)) is None
    mine.close()
    assert store.cohort_of_id(opaque_id(name)) is None and store.count(Slice(beside, "five")).films == 5
    for ask in (store.cohort, store.models, store.folder):
        with pytest.raises(NoCohort):
            ask(name)
    other.close()
    assert not store._opened._held._places, "its tables are in memory still"


def test_questions_are_answered_while_it_is_written_anew(tmp_path: Path, store: Store) -> None:
    mine, names, failed = opened(tmp_path / "a", store), list(FILMS), []
    bring(mine, names[:1])
    name, over = mine.explore(), threading.Event()

    def ask() -> None:
        while not over.is_set():
            try:
                assert 1 <= store.count(Slice(name, "five")).films <= 5
                assert store.page(Slice(name, "five"))
            except Exception as error:  # any: it is told below
                failed.append(error)

    asking = threading.Thread(target=ask)
    asking.start()
    for each in names[1:]:
        bring(mine, [each])
        mine.explore()
    over.set()
    asking.join()
    assert not failed and store.count(Slice(name, "five")).films == 5
    mine.close()


def test_marks_stay_with_a_folder_that_is_kept(tmp_path: Path, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(HOME_VARIABLE, str(tmp_path / "home"))
    mine, names = opened(tmp_path / "a", store), list(FILMS)
    bring(mine, names)
    mine.incoming.complete()
    mine.wait(PATIENCE)
    store.change_marks(mine.explore(), starring(names[1:2], on=True))
    keep_as_cohort(mine, "mine")
    mine.close()
    assert (
        saved_marks(cohort_folder("mine")).of(names[1]).starred
        and not saved_marks(cohort_folder("mine")).of(names[0]).starred
    )


def test_what_is_written_after_it_went_goes_too(tmp_path: Path, store: Store) -> None:
    folders = OpenFolders(readers(), lambda: tmp_path, unlisted=store.unlisted)
    token = folders.open("anna", 1)
    mine = folders.folder(token)
    bring(mine, list(FILMS)[:1])
    late = store.folder(mine.explore()).film_maps("five")[-1]
    folders.drop_visitor("anna")
    late.parent.mkdir(parents=True)  # as a map does that was under way
    late.write_bytes(b"points")
    folders.sweep()
    assert list(tmp_path.iterdir()) == []
