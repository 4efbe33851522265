"""Packed thumbnails are used while they are those of the cohort's films, and made again when they are not."""

from __future__ import annotations

import threading
import time
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from explorer.cohorts import thumbnail_packer
from explorer.cohorts.film_queue import DECODERS
from explorer.cohorts.film_source import SimulatedFilm
from explorer.cohorts.images import Images
from explorer.cohorts.layout import CACHE, SHIPPED_THUMBNAILS, Folder
from explorer.cohorts.packed_thumbnails import ThumbnailPacks, pack_thumbnails, simulated_films
from explorer.cohorts.parquet_files import write_table
from explorer.cohorts.thumbnail_packer import ThumbnailPacker
from explorer.cohorts.thumbnails import Thumbnails, thumbnail_file
from explorer.simulator.film_png import FILM_SIZE
from explorer.simulator.packed_film import FilmFile, make_film_file
from tests.support.small_cohort import Film, write_small
from tests.support.small_phantom import write_phantom


class Counting:
    """Renders films and says which."""

    def __init__(self) -> None:
        self.rendered: list[str] = []

    def of(self, address: str, size: int = FILM_SIZE) -> FilmFile:
        self.rendered.append(address)
        return make_film_file(address, size)


@pytest.fixture
def cohort(tmp_path: Path) -> Folder:
    return write_phantom(tmp_path)


@pytest.fixture
def films() -> Counting:
    return Counting()


def pack_of(folder: Folder) -> Path:
    return folder.thumbnail_packs()[-1]


def packed(folder: Folder, mark: bytes = b"") -> dict[str, bytes]:
    """Pack the cohort's films, with words in place of pictures; returns these by film."""
    addresses = simulated_films(folder)
    pictures = {name: mark + address.encode() for name, address in addresses.items()}
    pack_thumbnails(pack_of(folder), addresses, pictures.values())
    return pictures


def kept(thumbnails: Thumbnails, folder: Folder) -> dict[str, bytes | None]:
    return {
        name: thumbnails.kept(folder, name, SimulatedFilm(address)) for name, address in simulated_films(folder).items()
    }


def until_packed(packer: ThumbnailPacker, folder: Folder) -> None:
    deadline = time.monotonic() + 60
    while not packer.thumbnails.packs.has(folder):
        assert time.monotonic() < deadline, "never packed"
        packer.want(folder)
        time.sleep(0.02)


def test_a_shipped_cohorts_pack_is_apart_from_it_and_one_made_here_is_not() -> None:
    folder = Folder(CACHE / "phantom")
    assert folder.thumbnail_packs() == (SHIPPED_THUMBNAILS / "phantom.zip", folder.thumbnails / "pack.zip")


def test_packed_ones_are_there_without_drawing_even_while_films_wait(cohort: Folder, films: Counting) -> None:
    thumbnails = Thumbnails(Images({}, list, films))
    assert set(kept(thumbnails, cohort).values()) == {None}
    pictures = packed(cohort)
    with DECODERS.turn("one"), DECODERS.turn("two"):
        assert kept(thumbnails, cohort) == pictures
        address = simulated_films(cohort)[next(iter(pictures))]
        assert thumbnails.webp(cohort, "A-000000", "phantom", address) in pictures.values()
    assert films.rendered == []


def test_a_pack_that_is_replaced_is_opened_again(cohort: Folder) -> None:
    thumbnails = Thumbnails(Images({}, list))
    for mark in (b"one ", b"another "):
        pictures = packed(cohort, mark)
        assert kept(thumbnails, cohort) == pictures


def test_an_open_pack_answers_at_once_and_only_while_it_is_whole_and_current(cohort: Folder) -> None:
    pictures, packs = packed(cohort), ThumbnailPacks()
    (name, picture), *_ = pictures.items()
    assert packs.open_picture(cohort, name) is None, "it is not opened in the thread that answers everybody"
    assert packs.picture(cohort, name) == packs.open_picture(cohort, name) == picture
    assert packs.open_picture(cohort, "no such film") is None
    content = pack_of(cohort).read_bytes()
    again = packed(cohort, b"another ")
    assert packs.open_picture(cohort, name) is None
    assert packs.picture(cohort, name) == packs.open_picture(cohort, name) == again[name]
    pack_of(cohort).write_bytes(content.replace(picture, picture[::-1], 1))
    assert packs.picture(cohort, "no such film") is None
    assert packs.open_picture(cohort, name) is None
    pack_of(cohort).unlink()
    assert packs.open_picture(cohort, name) is None


def test_a_cohort_of_other_films_does_not_use_it(cohort: Folder) -> None:
    thumbnails, pictures = Thumbnails(Images({}, list)), packed(cohort)
    assert kept(thumbnails, cohort) == pictures
    table = pq.read_table(cohort.cases)
    write_table(cohort.cases, table.slice(1))
    assert set(kept(thumbnails, cohort).values()) == {None}
    write_table(cohort.cases, table)
    assert kept(thumbnails, cohort) == pictures


def test_real_films_take_no_part(tmp_path: Path) -> None:
    folder = write_small(tmp_path, [Film("a", {"Mass": "present"}, {"Mass": 0.5})], {"Mass": 0.5})
    assert simulated_films(folder) == {}


def test_a_damaged_pack_is_reported_once_and_made_again(
    cohort: Folder, films: Counting, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(thumbnail_packer, "QUIET_S", 0.0)
    pictures = packed(cohort)
    first = next(iter(pictures.values()))
    content = pack_of(cohort).read_bytes()
    pack_of(cohort).write_bytes(content.replace(first, first[::-1], 1))
    packer = ThumbnailPacker(Images({}, list, films))
    try:
        assert packer.thumbnails.packs.has(cohort)
        assert set(kept(packer.thumbnails, cohort).values()) == {None}
        assert [record.message.endswith("is damaged: its thumbnails are made again.") for record in caplog.records] == [
            True
        ]
        until_packed(packer, cohort)
    finally:
        packer.close()
    assert sorted(films.rendered) == sorted(simulated_films(cohort).values())
    made = kept(packer.thumbnails, cohort)
    assert all(webp is not None and webp[8:12] == b"WEBP" for webp in made.values())
    assert kept(Thumbnails(Images({}, list)), cohort) == made, "the next program takes what is there"


def test_single_ones_are_packed_not_drawn_again_and_then_go(
    cohort: Folder, films: Counting, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(thumbnail_packer, "QUIET_S", 0.0)
    packer = ThumbnailPacker(Images({}, list, films))
    name, address = next(iter(simulated_films(cohort).items()))
    single = packer.thumbnails.requested(cohort, name, SimulatedFilm(address, films))
    assert thumbnail_file(cohort, name).is_file()
    try:
        until_packed(packer, cohort)
        deadline = time.monotonic() + 10
        while [file.name for file in cohort.thumbnails.iterdir()] != ["pack.zip"]:
            assert time.monotonic() < deadline
            time.sleep(0.01)
    finally:
        packer.close()
    assert len(films.rendered) == len(simulated_films(cohort))
    assert packer.thumbnails.kept(cohort, name, SimulatedFilm(address)) == single


def test_films_on_screen_come_first(cohort: Folder, films: Counting, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(thumbnail_packer, "QUIET_S", 60.0)
    packer = ThumbnailPacker(Images({}, list, films))
    name, address = next(iter(simulated_films(cohort).items()))
    packer.thumbnails.requested(cohort, name, SimulatedFilm(address, films))
    packer.want(cohort)
    time.sleep(0.5)
    assert films.rendered == [address]
    packer.close()
    deadline = time.monotonic() + 10
    while any(cohort.thumbnails.glob(".*")):  # an unfinished pack goes when the program ends
        assert time.monotonic() < deadline
        time.sleep(0.01)
    assert not packer.thumbnails.packs.has(cohort)


def test_a_folder_that_cannot_be_written_has_no_pack_and_is_said_once(
    cohort: Folder, films: Counting, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(thumbnail_packer, "QUIET_S", 0.0)
    cohort.thumbnails.write_text("a file in the place of the folder")
    packer = ThumbnailPacker(Images({}, list, films))
    packer.want(cohort)
    deadline = time.monotonic() + 30
    while not caplog.records:
        assert time.monotonic() < deadline
        time.sleep(0.01)
    packer.close()
    assert [record.message.split(" in ")[0] for record in caplog.records] == ["Thumbnails cannot be packed"]
    assert films.rendered == []


def test_many_who_ask_at_once_open_it_once(cohort: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    pictures, packs = packed(cohort), ThumbnailPacks()
    begin, found = threading.Barrier(16), list[bool]()

    def ask() -> None:
        begin.wait()
        found.append(all(packs.picture(cohort, name) == picture for name, picture in pictures.items()))

    threads = [threading.Thread(target=ask) for _ in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [True] * 16
