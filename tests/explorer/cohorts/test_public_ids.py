"""Opaque ids and versions: the same for the same, another for any other."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.cohorts.layout import CACHE
from explorer.cohorts.manifest import read_manifest
from explorer.cohorts.public_ids import ID_DIGITS, opaque_id
from explorer.cohorts.version import version_of


@given(st.lists(st.text(st.characters(exclude_categories=["Cs"])), min_size=1, max_size=3))
def test_an_id_is_hexadecimal_digits_and_always_the_same(names: list[str]) -> None:
    assert re.fullmatch(rf"[0-9a-f]{{{ID_DIGITS}}}", opaque_id(*names))
    assert opaque_id(*names) == opaque_id(*names)


def test_ids_are_those_of_links_that_were_given_away() -> None:
    assert opaque_id("nih-oof") == "f7f4fcd40c6b272b"
    assert opaque_id("nih-oof", "case", "00000001_000") == "2ef2514bbf795bce"


def test_kinds_of_things_do_not_share_ids() -> None:
    kinds = {opaque_id("a", kind, "b") for kind in ("case", "center", "model")}
    assert len(kinds | {opaque_id("a"), opaque_id("b"), opaque_id("a", "case", "B"), opaque_id("a", "case", "b ")}) == 7


def test_a_version_is_of_the_content_and_the_order(tmp_path: Path) -> None:
    one, two, same = (tmp_path / name for name in "abc")
    for path, content in ((one, b"1"), (two, b"2"), (same, b"1")):
        path.write_bytes(content)
    assert version_of(one, two) == version_of(same, two) != version_of(two, one)
    assert len({version_of(one), version_of(two), version_of(one, two), version_of(one, one)}) == 4
    assert re.fullmatch(r"[0-9a-f]{12}", version_of(one))


def test_bytes_do_not_wander_between_files(tmp_path: Path) -> None:
    for name, content in (("a", b"12"), ("b", b"3"), ("c", b"1"), ("d", b"23")):
        (tmp_path / name).write_bytes(content)
    assert version_of(tmp_path / "a", tmp_path / "b") != version_of(tmp_path / "c", tmp_path / "d")


def test_a_missing_file_is_no_version(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        version_of(tmp_path / "none")


def test_the_shipped_cohort_is_of_its_version() -> None:
    folder = CACHE / "nih-oof"
    files = folder / "cases.parquet", folder / "labels.parquet"
    assert read_manifest(folder / "manifest.json").version == version_of(*files)
