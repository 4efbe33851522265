"""A pack gives each file back as it was written, or says that it is damaged: never another file."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from explorer.cohorts import film_pack
from explorer.cohorts.film_pack import DamagedPack, FilmPack, pack_key, write_pack

ADDRESSES = {"one": "phantom://v1/A/1", "two": "phantom://v1/A/2", "three": "phantom://v1/B/3"}
KEY = pack_key(ADDRESSES, "160 px")
FILES = {f"{name}.webp": random.Random(name).randbytes(300) for name in ADDRESSES}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "packs" / "pack.zip"
    write_pack(path, KEY, FILES.items())
    return path


def test_files_are_those_that_were_written_and_the_bytes_are_always_the_same(path: Path) -> None:
    pack = FilmPack(path, KEY)
    assert {name: pack.read(name) for name in FILES} == FILES
    assert pack.read("four.webp") is None
    before = path.read_bytes()
    assert b"SIMULATED" in before
    write_pack(path, KEY, FILES.items())
    assert path.read_bytes() == before
    assert [file.name for file in path.parent.iterdir()] == ["pack.zip"]


@pytest.mark.parametrize(
    "key",
    [
        pytest.param(pack_key(ADDRESSES | {"two": "phantom://v1/A/9"}, "160 px"), id="another film"),
        pytest.param(pack_key(ADDRESSES | {"four": "phantom://v1/A/4"}, "160 px"), id="one more"),
        pytest.param(pack_key(ADDRESSES, "128 px"), id="another size"),
    ],
)
def test_a_pack_of_something_else_is_not_used(path: Path, key: bytes) -> None:
    with pytest.raises(DamagedPack):
        FilmPack(path, key)


def test_a_pack_of_another_simulator_is_not_used(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(film_pack, "VERSION", film_pack.VERSION + 1)
    with pytest.raises(DamagedPack):
        FilmPack(path, pack_key(ADDRESSES, "160 px"))


def test_the_order_of_films_does_not_matter() -> None:
    assert pack_key(dict(reversed(ADDRESSES.items())), "160 px") == KEY


def test_every_torn_pack_is_noticed(path: Path) -> None:
    whole = path.read_bytes()
    for length in range(len(whole)):
        path.write_bytes(whole[:length])
        with pytest.raises(DamagedPack):
            FilmPack(path, KEY)
    path.unlink()
    with pytest.raises(DamagedPack):
        FilmPack(path, KEY)


def test_no_flipped_bit_gives_another_file(path: Path) -> None:
    """Half of the file are pictures: each flip there is noticed; elsewhere it is noticed or changes nothing."""
    whole = path.read_bytes()
    noticed = 0
    for at in range(len(whole)):
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 1 << at % 8]) + whole[at + 1 :])
        try:
            pack = FilmPack(path, KEY)
            for name, content in FILES.items():
                assert pack.read(name) in (content, None)
        except DamagedPack:
            noticed += 1
    assert noticed > sum(map(len, FILES.values()))


def test_a_pack_that_cannot_be_finished_leaves_nothing(tmp_path: Path) -> None:
    def breaks() -> object:
        yield "one.webp", b"one"
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_pack(tmp_path / "pack.zip", KEY, breaks())  # type: ignore[arg-type]
    assert list(tmp_path.iterdir()) == []
