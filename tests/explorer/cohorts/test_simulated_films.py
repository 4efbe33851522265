"""Simulated films on disk: made once, private, whole or not at all, and within a bound."""

from __future__ import annotations

import os
import stat
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from explorer.cohorts import simulated_films as module
from explorer.cohorts.film_queue import DECODERS
from explorer.cohorts.simulated_films import CachedFilms
from explorer.simulator import WrongRequest
from explorer.simulator.film_png import FILM_SIZE
from explorer.simulator.packed_film import DamagedFilm, FilmFile, make_film_file, pack_film, unpack_film
from explorer.simulator.version import version_mtime

ADDRESS = "phantom://v1/B/41?Cardiomegaly=,0.30&Pleural+Effusion=left,0.62"
PLAIN = "phantom://v1/A/3"


class Made:
    """Makes films, and remembers which."""

    def __init__(self) -> None:
        self.addresses: list[str] = []

    def of(self, address: str, size: int = FILM_SIZE) -> FilmFile:
        self.addresses.append(address)
        return make_film_file(address, size)


class Blank:
    """Makes a file of a thousand bytes in the place of a film, so that many fit into a test."""

    def of(self, address: str, size: int = FILM_SIZE) -> FilmFile:
        return FilmFile(address.encode().ljust(1000), {})


def same(one: FilmFile, other: FilmFile) -> bool:
    masks = list(one.masks) == list(other.masks) and all(
        mask.dtype == other.masks[name].dtype and np.array_equal(mask, other.masks[name])
        for name, mask in one.masks.items()
    )
    return one.png == other.png and masks


@pytest.mark.parametrize("address", [ADDRESS, PLAIN])
def test_a_film_comes_back_with_its_masks_to_the_last_bit(address: str) -> None:
    assert same(unpack_film(pack_film(make_film_file(address))), make_film_file(address))


def test_a_film_is_made_once_and_found_by_the_next_program(tmp_path: Path) -> None:
    make = Made()
    first = CachedFilms(tmp_path / "films", make=make).of(ADDRESS)
    again = CachedFilms(tmp_path / "films", make=make).of(ADDRESS)
    assert make.addresses == [ADDRESS]
    assert same(first, make_film_file(ADDRESS)) and same(again, first)
    (file,) = (tmp_path / "films").iterdir()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700
    assert "phantom" not in file.name and "41" not in file.stem.strip("0123456789abcdef")


def test_many_who_ask_at_once_get_one_that_was_made_once(tmp_path: Path) -> None:
    make = Made()
    films = CachedFilms(tmp_path, make=make)
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda _: films.of(PLAIN), range(16)))
    assert make.addresses == [PLAIN]
    assert all(each.png == found[0].png for each in found)


def test_another_size_is_not_kept(tmp_path: Path) -> None:
    films = CachedFilms(tmp_path / "films")
    assert films.of(PLAIN, 96).png == make_film_file(PLAIN, 96).png
    assert not (tmp_path / "films").exists()


def test_films_of_another_simulator_are_made_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make = Made()
    films = CachedFilms(tmp_path, make=make)
    films.of(PLAIN)
    other = version_mtime() + 10**9
    monkeypatch.setattr(module, "version_mtime", lambda: other)
    films.of(PLAIN)
    films.of(PLAIN)
    assert make.addresses == [PLAIN, PLAIN]


def test_no_flipped_bit_and_no_missing_byte_goes_unseen() -> None:
    data = pack_film(make_film_file(ADDRESS, 64))
    for at in {*range(200), *range(200, len(data), 97), *range(len(data) - 400, len(data))}:
        flipped = bytearray(data)
        flipped[at] ^= 1 << at % 8
        for damaged in (bytes(flipped), data[:at]):
            with pytest.raises(DamagedFilm):
                unpack_film(damaged)


@pytest.mark.parametrize("at", [0, 100, -100, -1])
def test_a_damaged_file_is_not_shown(tmp_path: Path, at: int) -> None:
    make = Made()
    films = CachedFilms(tmp_path, make=make)
    film = films.of(ADDRESS)
    (file,) = tmp_path.iterdir()
    data = bytearray(file.read_bytes())
    data[at] ^= 4
    file.write_bytes(data)
    os.utime(file, ns=(version_mtime(), version_mtime()))
    assert same(films.of(ADDRESS), film)
    file.write_bytes(bytes(data[: len(data) // 2]))
    os.utime(file, ns=(version_mtime(), version_mtime()))
    assert same(films.of(ADDRESS), film)


def test_those_used_longest_ago_go_when_there_are_too_many(tmp_path: Path) -> None:
    films = CachedFilms(tmp_path, limit=12_000, make=Blank())
    for number in range(8):
        films.of(str(number))
    sizes = [file.stat().st_size for file in tmp_path.iterdir()]
    assert len(sizes) == 8 and sum(sizes) < 12_000
    films.of("0")
    for number in range(8, 12):
        films.of(str(number))
    kept = [unpack_film(file.read_bytes()).png.decode().strip() for file in tmp_path.iterdir()]
    assert sum(file.stat().st_size for file in tmp_path.iterdir()) <= 12_000
    assert {"0", "11", "10"} <= set(kept) and "1" not in kept


def test_a_folder_that_is_too_full_when_the_program_begins_is_emptied_to_its_bound(tmp_path: Path) -> None:
    large = CachedFilms(tmp_path, make=Blank())
    for number in range(20):
        large.of(str(number))
    (tmp_path / ".begun.film.1.partial").write_bytes(bytes(5000))
    os.utime(tmp_path / ".begun.film.1.partial", (1, 1))
    CachedFilms(tmp_path, limit=6000, make=Blank()).of("another")
    assert sum(file.stat().st_size for file in tmp_path.iterdir()) <= 6000
    assert not list(tmp_path.glob("*.partial")), "what a killed program left"


def test_a_folder_that_cannot_be_written_is_said_once_and_costs_no_film(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    place = tmp_path / "films"
    place.write_text("a file in the place of the folder")
    films = CachedFilms(place)
    assert films.of(PLAIN).png == films.of(PLAIN).png == make_film_file(PLAIN).png
    assert [record.message.split(" in ")[0] for record in caplog.records] == ["Films cannot be cached"]


def test_what_is_no_address_is_refused_and_not_kept(tmp_path: Path) -> None:
    with pytest.raises(WrongRequest):
        CachedFilms(tmp_path / "films").of("phantom://v1/C/5")
    assert not (tmp_path / "films").exists()


def test_a_film_that_was_made_is_had_while_others_wait(tmp_path: Path) -> None:
    films = CachedFilms(tmp_path, make=Blank())
    films.of("made before")
    with ThreadPoolExecutor(1) as pool, DECODERS.turn("one"), DECODERS.turn("two"):
        assert pool.submit(films.of, "made before").result(10).png.strip() == b"made before"
        waits = pool.submit(films.of, "another")
        deadline = time.monotonic() + 10
        while DECODERS.ahead("another") != 2:
            assert time.monotonic() < deadline
            time.sleep(0.001)
        assert not waits.done()
