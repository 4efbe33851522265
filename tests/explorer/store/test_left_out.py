"""What is wrong with the manifest of a model or a cohort is told, and closes nothing but that model or cohort."""

from __future__ import annotations

import json
import logging
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from explorer.cohorts.layout import Folder, NoCohort
from explorer.cohorts.manifest import CHECKSUM
from explorer.store.results import Count
from explorer.store.slices import Slice
from explorer.store.store import Store
from tests.support.brute_force import NAME
from tests.support.sealed import sealed, write_sealed
from tests.support.small_cohort import Film, write_small
from tests.support.wording import Wording


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("written")
    write_sealed(place)
    sealed(write_small(place, [Film("a", {"Mass": "present"}, {"Mass": 0.3})], {"Mass": 0.4}))
    return place


@pytest.fixture
def folders(written: Path, tmp_path: Path) -> list[Folder]:
    """Copies to be damaged."""
    shutil.copytree(written, tmp_path, dirs_exist_ok=True)
    return [Folder(tmp_path / NAME), Folder(tmp_path / "small")]


def content(text: bytes) -> Callable[[Path], None]:
    return lambda path: path.write_bytes(text) and None


def changed(**fields: object) -> Callable[[Path], None]:
    """The field says something else; the checksum is gone, as it was never there in format 1."""

    def change(path: Path) -> None:
        table: dict[str, Any] = json.loads(path.read_text()) | {"format": 1} | fields
        del table[CHECKSUM]
        path.write_text(json.dumps(table))

    return change


def in_place_of_it(path: Path) -> None:
    path.unlink()
    path.mkdir()


def link_to_nothing(path: Path) -> None:
    path.unlink()
    path.symlink_to(path.with_name("nowhere"))


def a_word_is_another(path: Path) -> None:
    text = path.read_text()
    assert "made up" in text
    path.write_text(text.replace("made up", "made ap"))


DAMAGE = {
    "empty": content(b""),
    "an open bracket": content(b"{"),
    "a list": content(b"[]"),
    "nothing": content(b"null"),
    "a number": content(b"1" * 5000),
    "a pit": content(b"[" * 100_000),
    "no text": content(b"\xff\xfe{}"),
    "a hole": content(b"\0" * 300),
    "another format": changed(format=99),
    "a format that is not a number": changed(format="1"),
    "a format that is true": changed(format=True),
    "a strange field": changed(mood="good"),
    "files that are none": changed(files=[1]),
    "facts that are none": changed(files={"cases.parquet": {"rows": -1, "sha256": "x"}}),
    "a folder": in_place_of_it,
    "a link to nothing": link_to_nothing,
    "a word is another": a_word_is_another,
}
OF_MODEL = DAMAGE | {
    "another's name": changed(model="other"),
    "a name that is none": changed(model=["one"]),
    "no findings": changed(findings=None),
    "a finding that is none": changed(findings=["Mass", 3]),
    "an origin that is none": changed(origins={"North": "nearby"}),
    "a title that is not text": changed(title="\ud800"),
    "a huge number": changed(scored=10**400),
    "a number below nothing": changed(failed=-1),
    "a number that is true": changed(scored=True),
    "an endless scale": changed(scale=float("inf")),
    "a scale that is not a number": changed(scale="98"),
    "another unit": changed(unit="percent"),
    "a hash that is none": changed(sha256=7),
}
OF_COHORT = DAMAGE | {
    "another's name": changed(name="small"),
    "a number for a version": changed(version=1),
    "a word for a truth": changed(labelled="yes"),
    "other masks": changed(masks="by hand"),
    "roots that are none": changed(roots={"a": 1}),
    "counts that are none": changed(counts={"taken": "3"}),
    "films without an end": changed(cases=1e999),
}


@pytest.mark.slow
@pytest.mark.parametrize("damage", OF_MODEL.values(), ids=OF_MODEL.keys())
def test_a_damaged_model_closes_no_other(
    folders: list[Folder], damage: Callable[[Path], None], caplog: pytest.LogCaptureFixture
) -> None:
    damage(folders[0].model("one"))
    store = Store(lambda: folders)
    for _ in range(3):
        assert [manifest.name for manifest in store.cohorts()] == [NAME, "small"]
        assert [model.model for model in store.models(NAME)] == ["other"]
    assert store.count(Slice(NAME, "other")) == Count(24, 12)
    assert store.count(Slice("small", "reader")) == Count(1, 1)
    case = store.case(NAME, "film 3")
    assert case is not None and {row.model for row in case.scores} == {"other"}
    for told in (case.left_out, store.left_out(), [record.message for record in caplog.records]):
        assert len(told) == 1 and f"models/one.json of {NAME}" in told[0]
    for ask in (lambda: store.model(NAME, "one"), lambda: store.count(Slice(NAME, "one"))):
        with pytest.raises(NoCohort, match=r"models/one\.json") as refused:
            ask()
        assert refused.value.detail.endswith(".") and str(folders[0].path.parent) not in str(refused.value)


@pytest.mark.slow
@pytest.mark.parametrize("damage", OF_COHORT.values(), ids=OF_COHORT.keys())
def test_a_damaged_cohort_closes_no_other(
    folders: list[Folder], damage: Callable[[Path], None], caplog: pytest.LogCaptureFixture
) -> None:
    damage(folders[0].manifest)
    store = Store(lambda: folders)
    for _ in range(3):
        assert [manifest.name for manifest in store.cohorts()] == ["small"]
    assert store.count(Slice("small", "reader")) == Count(1, 1)
    for told in (store.left_out(), [record.message for record in caplog.records]):
        assert len(told) == 1 and f"manifest.json of {NAME}" in told[0]


def test_a_name_that_no_model_can_have_is_told(folders: list[Folder], wording: Wording) -> None:
    made = folders[0].model("one")
    made.with_name("A model.json").write_bytes(made.read_bytes())
    store = Store(lambda: folders)
    assert [model.model for model in store.models(NAME)] == ["one", "other"]
    assert len(store.left_out()) == 1
    wording(store.left_out(), "'A model'", NAME)


def test_what_is_whole_is_not_told(folders: list[Folder], caplog: pytest.LogCaptureFixture) -> None:
    store = Store(lambda: folders)
    with caplog.at_level(logging.WARNING):
        assert len(store.cohorts()) == 2
    assert store.left_out() == store.unchecked(NAME, "one") == () and not caplog.records


def test_files_of_an_older_version_are_read_and_said_not_to_be_checked(folders: list[Folder]) -> None:
    for path in (folders[0].manifest, folders[0].model("one")):
        table = json.loads(path.read_text()) | {"format": 1}
        path.write_text(json.dumps({key: value for key, value in table.items() if key not in (CHECKSUM, "files")}))
    store = Store(lambda: folders)
    assert store.count(Slice(NAME, "one")) == store.count(Slice(NAME, "other")) == Count(24, 12)
    assert store.left_out() == ()
    assert [each.partition(" does")[0] for each in store.unchecked(NAME, "one")] == [
        f"manifest.json of {NAME}",
        f"models/one.json of {NAME}",
    ]
    assert len(store.unchecked(NAME, "other")) == 1
