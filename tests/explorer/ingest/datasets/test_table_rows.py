"""Published tables, plain and packed, and what is no table."""

from __future__ import annotations

import gzip
import io
import zipfile
from pathlib import Path

import pytest

from explorer.ingest.datasets.table_rows import table_rows, whole_rows
from explorer.ingest.rejects import Reject, RejectReason
from explorer.tabular.problems import WrongInput
from tests.explorer.ingest.brought import written
from tests.support.wording import Wording

TEXT = '\ufeffa , b\r\n1,"two\nlines"\r\n\r\n3,4\r\n'


def zipped(**files: str) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for name, text in files.items():
            archive.writestr(name.replace("_csv", ".csv"), text)
    return file.getvalue()


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("t.csv", TEXT.encode()),
        ("t.csv.gz", gzip.compress(TEXT.encode(), mtime=0)),
        ("t.csv.zip", zipped(t_csv=TEXT, readme="not a table")),
    ],
)
def test_a_table_reads_the_same_however_it_is_packed(tmp_path: Path, name: str, content: bytes) -> None:
    with table_rows(written(tmp_path / name, content)) as (names, rows):
        assert names == ["a", "b"]
        assert [(line, [cell.strip() for cell in row]) for line, row in rows] == [
            (3, ["1", "two\nlines"]),
            (5, ["3", "4"]),
        ]


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("t.csv", b"", "is empty"),
        ("t.csv", b"a,b\n1,\xff\xfe\n", "text in UTF-8"),
        ("t.csv", b'a,b\n1,"never closed\n', "CSV file.* line 2"),
        ("t.csv", b"<html>", "is a web page"),
        ("t.csv", b"version https://git-lfs.github.com/spec/v1\n", "points to the table"),
        ("t.csv", zipped(t_csv=TEXT), "ZIP or an Excel"),
        ("t.csv.gz", gzip.compress(TEXT.encode() * 99, mtime=0)[:-20], "truncated"),
        ("t.csv.gz", TEXT.encode(), "not packed"),
        ("t.csv.zip", b"PK", "truncated"),
        ("t.csv.zip", zipped(one_csv=TEXT, two_csv=TEXT), "holds 2 tables"),
    ],
)
def test_what_is_no_table_is_refused(tmp_path: Path, name: str, content: bytes, words: str, wording: Wording) -> None:
    with (
        pytest.raises(WrongInput, match=words) as refused,
        table_rows(written(tmp_path / name, content)) as (_, rows),
    ):
        list(rows)
    wording(refused.value)
    assert str(tmp_path / name) in str(refused.value)


def test_a_table_that_is_not_there(tmp_path: Path, wording: Wording) -> None:
    with pytest.raises(WrongInput) as caught, table_rows(tmp_path / "t.csv"):
        pass
    wording(caught.value, "t.csv")


def test_rows_that_are_not_whole_are_rejects() -> None:
    rejects: list[Reject] = []
    rows = iter([(2, ["x", "1"]), (3, ["y"]), (4, []), (5, ["z", "1", "2"])])
    assert list(whole_rows(["image", "a"], rows, 0, rejects)) == [(2, ["x", "1"])]
    assert [(each.line, each.image, each.reason) for each in rejects] == [
        (3, "y", RejectReason.CELLS),
        (4, "", RejectReason.CELLS),
        (5, "z", RejectReason.CELLS),
    ]
