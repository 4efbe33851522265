"""A ZIP of a stranger writes nothing outside its folder, no more than it may, and blocks nobody."""

from __future__ import annotations

import io
import stat
import struct
import time
import zipfile
from pathlib import Path

import pytest

from explorer.film_folder.film_rows import counts_by_reason
from explorer.film_folder.limits import MB, Limits
from tests.explorer.film_folder.visitor import film, folder_of, zipped
from tests.support.wording import Wording


def test_every_film_of_a_zip_is_read(tmp_path: Path) -> None:
    films = {f"ward/{seed}.png": film(seed) for seed in range(4)}
    more = {"__MACOSX/ward/._0.png": b"x", ".git/x": b"x"}
    folder = folder_of(tmp_path / "a", {"films.zip": zipped(films | more)})
    assert [row.source.name for row in folder.results()[0]] == list(films)
    assert folder.progress().passed_over == 2 and folder.results()[1] == []


def test_hostile_entries_are_refused_each_with_its_reason(tmp_path: Path, wording: Wording) -> None:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as archive:
        for name in ("../out.png", "/tmp/out.png", "a/../../out.png", "..\\out.png", "C:\\out.png"):
            archive.writestr(name, film(1))
        link = zipfile.ZipInfo("link.png")
        link.external_attr = (stat.S_IFLNK | 0o777) << 16
        archive.writestr(link, "/etc/passwd")
        archive.writestr("inner.zip", zipped({"deep.png": film(2)}))
        archive.writestr("packed.png", film(5), zipfile.ZIP_LZMA)
        archive.writestr("good.png", film(3))
    place = tmp_path / "a" / "b"
    place.parent.mkdir()
    folder = folder_of(place, {"films.zip": target.getvalue()})
    assert [row.source.name for row in folder.results()[0]] == ["good.png"]
    reasons = counts_by_reason(folder.results()[1])
    assert sorted(reasons.values()) == [1, 1, 1, 5]
    wording(sorted(reasons), "path", "link", "ZIP inside a ZIP", "compression")
    assert sorted(path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*") if path.is_file()) == [
        f"a/b/films/{folder.results()[0][0].source.file}"
    ]


def test_an_encrypted_entry_is_refused(tmp_path: Path, wording: Wording) -> None:
    data = bytearray(zipped({"a.png": film(1), "b.png": film(2)}))
    data[6] |= 1  # the flags of the first entry, and of the first one in the list
    data[data.index(b"PK\x01\x02") + 8] |= 1
    folder = folder_of(tmp_path / "a", {"films.zip": bytes(data)})
    assert [row.source.name for row in folder.results()[0]] == ["b.png"]
    reasons = counts_by_reason(folder.results()[1])
    assert list(reasons.values()) == [1]
    wording(list(reasons), "encrypted")


def test_a_bomb_costs_no_more_than_the_folder_may_hold(tmp_path: Path, wording: Wording) -> None:
    bomb = zipped({f"{n}.png": b"\0" * (4 * MB) for n in range(12)} | {"huge.png": b"\0" * (9 * MB)})
    assert len(bomb) < MB
    folder = folder_of(tmp_path / "a", {"bomb.zip": bomb}, Limits(bytes=16 * MB, file_bytes=8 * MB))
    reasons = counts_by_reason(folder.results()[1])
    assert sorted(reasons.values()) == [1, 3, 9]
    wording(sorted(reasons), "16 MB", "8 MB", "format")


def test_an_entry_that_is_larger_than_it_says_or_damaged_is_refused(tmp_path: Path, wording: Wording) -> None:
    data = bytearray(zipped({"a.png": film(1), "b.png": film(2)}))
    at = data.index(b"PK\x01\x02") + 24  # its size in the list
    data[at : at + 4] = struct.pack("<L", 100)
    folder = folder_of(tmp_path / "a", {"films.zip": bytes(data)})
    reasons = counts_by_reason(folder.results()[1])
    assert list(reasons.values()) == [1]
    wording(list(reasons), "entry", "damaged")
    assert [row.source.name for row in folder.results()[0]] == ["b.png"]


@pytest.mark.parametrize("cut", [30, 200, -10])
def test_a_zip_that_breaks_off_is_refused(tmp_path: Path, cut: int) -> None:
    folder = folder_of(tmp_path / "a", {"films.zip": zipped({"a.png": film(1)})[:cut], "b.png": film(2)})
    assert counts_by_reason(folder.results()[1]) == {"The ZIP is damaged": 1}
    assert len(folder.results()[0]) == 1


def test_too_many_entries_are_not_even_listed(tmp_path: Path, wording: Wording) -> None:
    many = zipped({f"{n}": b"" for n in range(60)})
    folder = folder_of(tmp_path / "a", {"films.zip": many}, Limits(entries=50))
    reasons = counts_by_reason(folder.results()[1])
    assert list(reasons.values()) == [1]
    wording(list(reasons), "too many files")
    claimed = bytearray(zipped({"a.png": film(1)}))
    end = claimed.rindex(b"PK\x05\x06")
    claimed[end + 12 : end + 16] = struct.pack("<L", 2**31)  # the bytes of its list
    folder = folder_of(tmp_path / "b", {"films.zip": bytes(claimed)})
    assert counts_by_reason(folder.results()[1]) == reasons


def test_thousands_of_tiny_files_are_counted_in_seconds(tmp_path: Path, wording: Wording) -> None:
    tiny = zipped({f"{n}.txt": b"tiny" for n in range(1500)}, zipfile.ZIP_STORED)
    begun = time.monotonic()
    folder = folder_of(tmp_path / "a", {"films.zip": tiny})
    assert time.monotonic() - begun < 30
    reasons = counts_by_reason(folder.results()[1])
    assert list(reasons.values()) == [1500]
    wording(list(reasons), "text")


def test_the_files_of_all_zips_are_bounded_together(tmp_path: Path, wording: Wording) -> None:
    tiny = zipped({f"{n}.txt": b"tiny" for n in range(50)}, zipfile.ZIP_STORED)
    folder = folder_of(tmp_path / "a", {"a.zip": tiny, "b.zip": tiny}, Limits(files=60))
    reasons = counts_by_reason(folder.results()[1])
    (full,) = [reason for reason in reasons if "too many files" in reason]
    assert reasons.pop(full) == 1
    wording(full)
    assert 55 <= sum(reasons.values()) <= 60
