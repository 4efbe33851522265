"""What each importer says of the likely mistakes is what `docs/datasets.md` prints."""

from __future__ import annotations

import gzip
import re
import shutil
import warnings
from collections.abc import Callable
from itertools import takewhile
from pathlib import Path

import pytest

from explorer.cohorts.images import FILM_ENDINGS
from explorer.ingest.datasets.catalog import KNOWN_DATASETS, KnownDataset
from explorer.ingest.datasets.find_tables import tables
from explorer.ingest.datasets.importing import import_dataset
from explorer.ingest.datasets.table_rows import open_text
from explorer.ingest.datasets.wanted import ImportOptions
from explorer.tabular.problems import Refused
from tests.explorer.ingest.brought import written
from tests.explorer.ingest.datasets.samples import SAMPLES, dicom, padchest_table

DOCS = Path(__file__).parents[4] / "docs" / "datasets.md"
ANYTHING = ("NAMES", "FOLDER", "COLUMN", "OTHER", "COMMAND", "COUNT", "FILM", "FOUND")

Mistake = Callable[[Path, KnownDataset], Path]  # spoils a download; the root that is then named


def said_in_docs() -> dict[str, str]:
    lines = DOCS.read_text(encoding="utf-8").splitlines()
    start = lines.index("| mistake | what the command says |")
    rows = (line.strip("| ").split(" | ") for line in takewhile(lambda line: line.startswith("|"), lines[start + 2 :]))
    return {mistake.strip(): message.strip() for mistake, message in rows}


def named(dataset: KnownDataset) -> str:
    return " or ".join(name for name in dataset.tables if "/" not in name)


def table(root: Path, dataset: KnownDataset) -> Path:
    return tables(root, dataset.tables)[0]


def films(root: Path) -> list[Path]:
    return sorted(path for path in root.rglob("*") if path.suffix in FILM_ENDINGS)


def misspelled(root: Path, _: KnownDataset) -> Path:
    return root / "not" / "there"


def archive(root: Path, _: KnownDataset) -> Path:
    return written(root.parent / "download.zip", b"PK\3\4")


def not_downloaded(root: Path, _: KnownDataset) -> Path:
    return written(root.parent / "other" / "README", "Read me").parent


def too_high(root: Path, _: KnownDataset) -> Path:
    return root.parent


def too_low(root: Path, _: KnownDataset) -> Path:
    (root / "a folder").mkdir()
    return root / "a folder"


def packed(root: Path, _: KnownDataset) -> Path:
    return written(root.parent / "packed" / "download.zip", b"PK\3\4").parent


def login_page(root: Path, dataset: KnownDataset) -> Path:
    path = table(root, dataset)
    path.unlink()
    written(path.with_name(path.name.removesuffix(".gz")), "\n<!DOCTYPE html>\n<html>Log in</html>")
    return root


def broken_off(root: Path, dataset: KnownDataset) -> Path:
    path = table(root, dataset)
    whole = gzip.compress(path.read_bytes()) if path.suffix != ".gz" else path.read_bytes()
    path.unlink()
    written(path.with_name(f"{path.name.removesuffix('.gz')}.gz"), whole[: len(whole) // 2])
    return root


def of_another(root: Path, dataset: KnownDataset) -> Path:
    path = table(root, dataset)
    if dataset.name == "padchest":
        other = "patientId,x,y,width,height,Target\na,,,,,0\n"
    elif dataset.name == "padchest-gr":
        other = '[{"image": 1}]'
    else:
        other = padchest_table()
        if dataset.name == "cxrlt2026":  # whose columns PadChest's table has
            other = "patientId,x,y,width,height,Target\na,,,,,0\n"
    path.unlink()
    written(path.with_name(path.name.removesuffix(".gz")), other)
    return root


def renamed_column(root: Path, dataset: KnownDataset) -> Path:
    path = table(root, dataset)
    with open_text(path) as file:
        text = file.read()
    path.unlink()
    written(path.with_name(path.name.removesuffix(".gz")), text.replace(dataset.columns[0], "a column of mine", 1))
    return root


def no_film(root: Path, _: KnownDataset) -> Path:
    for film in films(root):
        film.unlink()
    return root


def packed_films(root: Path, dataset: KnownDataset) -> Path:
    written(no_film(root, dataset) / "images_001.tar.gz", b"")
    return root


def other_names(root: Path, dataset: KnownDataset) -> Path:
    for place, film in enumerate(films(root)):
        film.unlink()
        written(root / "films of mine" / f"{place}{film.suffix}", dicom(place))
    return root


MISTAKES: dict[str, Mistake] = {
    "the folder is misspelled": misspelled,
    "you name the archive, not the folder": archive,
    "the table was not downloaded": not_downloaded,
    "you name the folder above": too_high,
    "you name the film folder": too_low,
    "everything is still packed": packed,
    "a login page was saved": login_page,
    "the download is incomplete": broken_off,
    "the table belongs to another dataset": of_another,
    "a column was renamed": renamed_column,
    "the films are missing": no_film,
    "the films are still packed": packed_films,
    "the films have other names or folders": other_names,
}
# Tables without a fixed header say it in their own way.
APART = {
    ("padchest-gr", "the table belongs to another dataset"): "PadChest-GR: another JSON file",
    ("padchest-gr", "a column was renamed"): "PadChest-GR: another JSON file",
    ("reveal", "the table belongs to another dataset"): "REVEAL-CXR: another table",
}


@pytest.fixture(scope="module")
def downloads(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("downloads")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # pydicom's, of made-up values
        for name, write in SAMPLES.items():
            write(place / name)
    return place


def test_every_documented_mistake_is_tried() -> None:
    assert set(said_in_docs()) == {*MISTAKES, *APART.values()}
    assert set(SAMPLES) == {dataset.name for dataset in KNOWN_DATASETS}


@pytest.mark.parametrize("mistake", MISTAKES)
@pytest.mark.parametrize("dataset", KNOWN_DATASETS, ids=lambda dataset: dataset.name)
def test_what_is_said(downloads: Path, home: Path, tmp_path: Path, dataset: KnownDataset, mistake: str) -> None:
    if (dataset.name, mistake) == ("reveal", "a column was renamed"):
        pytest.skip("one of twelve labels may be missing")
    download = tmp_path / "place" / "download"
    shutil.copytree(downloads / dataset.name, download)
    root = MISTAKES[mistake](download, dataset)
    with pytest.raises(Refused) as refused:
        import_dataset(dataset.name, root, ImportOptions(), "cohort")
    message = re.escape(said_in_docs()[APART.get((dataset.name, mistake), mistake)]).replace(re.escape("..."), "(.+)")
    known = {"ROOT": str(root), "TITLE": dataset.title, "TABLES": named(dataset)}
    for word, value in known.items():
        message = re.sub(rf"\b{word}\b", lambda _, value=value: re.escape(value), message)
    message = re.sub(r"\bTABLE\b", lambda _: rf"{re.escape(str(root))}/\S+", message)
    message = re.sub(rf"\b({'|'.join(ANYTHING)})\b", "(.+)", message)
    assert re.fullmatch(message, str(refused.value)), f"{refused.value}\n{message}"
    assert not (home / "cohorts" / "cohort").exists()
