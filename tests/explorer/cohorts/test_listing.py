"""Files that are others than those that a manifest lists: each is refused by its name."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest

from explorer.cohorts.layout import DamagedCohort, Folder
from explorer.cohorts.listing import (
    JOURNAL_NAME,
    add_to_journal,
    check_cohort,
    check_features,
    check_scores,
    file_facts,
    journal_facts,
)
from explorer.cohorts.manifest import FileFacts
from explorer.cohorts.parquet_files import read_table, write_table
from explorer.store.results import Count
from explorer.store.slices import Slice
from explorer.store.store import Store
from tests.support.brute_force import NAME
from tests.support.sealed import write_sealed
from tests.support.wording import Wording

ONE = Slice(NAME, "one")


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    return write_sealed(tmp_path)


def shard(folder: Folder, number: int, kind: str = "predictions") -> Path:
    return folder.path / kind / "one" / f"part-{number:05}.parquet"


def missing(folder: Folder) -> Path:
    shard(folder, 1).unlink()
    return shard(folder, 1)


def one_more(folder: Folder) -> Path:
    shard(folder, 7).write_bytes(shard(folder, 1).read_bytes())
    return shard(folder, 7)


def in_each_others_place(folder: Folder) -> Path:
    one, other = (shard(folder, number).read_bytes() for number in (0, 1))
    shard(folder, 0).write_bytes(other)
    shard(folder, 1).write_bytes(one)
    return shard(folder, 0)


def an_older_one(folder: Folder) -> Path:
    """The rows are as they must be, in a file that is not the one that was written last."""
    write_table(shard(folder, 1), pq.read_table(shard(folder, 1)).slice(0, 5))
    return shard(folder, 1)


def another_models(folder: Folder) -> Path:
    shard(folder, 1).write_bytes((folder.predictions("other") / "part-00001.parquet").read_bytes())
    return shard(folder, 1)


def in_its_last_bytes(folder: Folder) -> Path:
    content = bytearray(shard(folder, 0).read_bytes())
    content[-60] ^= 4
    shard(folder, 0).write_bytes(content)
    return shard(folder, 0)


@pytest.mark.parametrize(
    "damage", [missing, one_more, in_each_others_place, an_older_one, another_models, in_its_last_bytes]
)
def test_a_shard_that_is_not_as_listed_is_refused(folder: Folder, damage: Callable[[Folder], Path]) -> None:
    store = Store(lambda: [folder])
    assert store.count(ONE) == Count(24, 12)
    file = damage(folder).relative_to(folder.path).as_posix()
    store.look(NAME)
    for _ in range(2):
        with pytest.raises(DamagedCohort) as refused:
            store.count(ONE)
        assert f"{NAME}: {file}" in refused.value.title and refused.value.detail.endswith(".")
    assert store.count(Slice(NAME, "other")) == Count(24, 12)
    assert len(store.features(NAME, "one").cases) == 12


@pytest.mark.parametrize("kind", ["labels", "boxes", "appearances"])
def test_a_file_that_a_cohort_may_be_without_is_not_missed_silently(folder: Folder, kind: str) -> None:
    path: Path = getattr(folder, kind)
    path.unlink()
    with pytest.raises(DamagedCohort, match=rf"{kind}\.parquet is missing"):
        check_cohort(folder)


def test_features_are_checked_apart_from_scores(folder: Folder, wording: Wording) -> None:
    shard(folder, 0, "embeddings").unlink()
    check_scores(folder, "one")
    with pytest.raises(DamagedCohort) as caught:
        check_features(folder, "one")
    wording(caught.value, "embeddings/one/part-00000.parquet")


def test_a_shard_in_the_journal_counts_as_listed_until_the_manifest_has_it(folder: Folder) -> None:
    path, journal = shard(folder, 2), folder.predictions("one") / JOURNAL_NAME
    none = pq.read_table(shard(folder, 0)).slice(0, 0)
    write_table(
        path, none, lambda partial: add_to_journal(journal, "predictions/one/part-00002.parquet", file_facts(partial))
    )
    check_scores(folder, "one")
    path.unlink()
    check_scores(folder, "one")  # noted, and killed before the file had its name
    path.write_bytes(b"PAR1")
    with pytest.raises(DamagedCohort, match="part-00002"):
        check_scores(folder, "one")


def test_of_a_journal_the_last_word_counts_and_a_torn_line_does_not(tmp_path: Path) -> None:
    journal = tmp_path / JOURNAL_NAME
    assert journal_facts(journal) == {}
    for rows in (1, 2):
        add_to_journal(journal, "a", FileFacts(rows, "0"))
    with journal.open("a") as file:
        file.write('\n{"b": {"rows": 3, "sha')
    add_to_journal(journal, "c", FileFacts(4, "1"))
    with journal.open("ab") as file:
        file.write(b'\n{"d": 7}\n[]\n7\n"e"\n\xff\n')
    assert journal_facts(journal) == {"a": FileFacts(2, "0"), "c": FileFacts(4, "1")}


def test_a_flipped_bit_in_a_page_is_found_where_no_manifest_lists_the_file(tmp_path: Path) -> None:
    """Uncompressed bytes of a page still decode: only its checksum tells."""
    table = pq.read_table(write_sealed(tmp_path).cases)
    path = tmp_path / "a.parquet"
    write_table(path, table)
    content, found = path.read_bytes(), 0
    end = len(content) - int.from_bytes(content[-8:-4], "little") - 8
    for place in np.random.default_rng(0).integers(4, end, 60):
        damaged = bytearray(content)
        damaged[place] ^= 1
        path.write_bytes(damaged)
        try:
            found += not read_table(path).equals(table)
        except DamagedCohort as refused:
            assert "a.parquet" in refused.title
    assert found == 0
