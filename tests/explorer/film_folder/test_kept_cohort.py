"""A folder that is kept is a cohort as `ingest folder` and `score` would make it, with the scores of the page."""

from __future__ import annotations

import io
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

from explorer.analysis.exports.slice_export import slice_provenance
from explorer.cohorts.images import Images
from explorer.cohorts.layout import HOME_VARIABLE, NoCohort, cohort_folder
from explorer.cohorts.listing import check_cohort, check_scores
from explorer.film_folder.film_rows import counts_by_reason
from explorer.film_folder.film_table import table_text
from explorer.film_folder.kept_cohort import keep_as_cohort
from explorer.film_folder.limits import NoFolder
from explorer.film_folder.visitor_folder import OTHER_KIND, VisitorFolder
from explorer.reading.samples import sample_bytes
from explorer.store.slices import Slice
from explorer.store.store import Store
from models.radiograph import read_radiograph
from tests.explorer.film_folder.visitor import OwnScores, film, folder_of, readers, scores_of, sha256, zipped
from tests.support.film_files import dicom_bytes, dicom_dataset
from tests.support.wording import Wording, line_with


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(HOME_VARIABLE, str(tmp_path / "home"))
    return tmp_path / "home"


def test_films_and_scores_are_kept_and_the_folder_may_go(home: Path, tmp_path: Path, wording: Wording) -> None:
    films = {f"ward/=film {seed}.png": film(seed) for seed in range(5)}
    mine = folder_of(tmp_path / "a", {"films.zip": zipped(films | {"x.txt": b"text"})})
    assert keep_as_cohort(mine, "my-ward") == 5 and mine.kept == "my-ward"
    mine.close()
    made = cohort_folder("my-ward")
    check_cohort(made)
    check_scores(made, "five")
    assert "ward" not in made.rejects.read_text()
    wording(line_with(made.rejects.read_text(), "text file"))
    images, store = Images(), Store()
    assert [each.name for each in store.cohorts() if each.name == "my-ward" and not each.labelled] == ["my-ward"]
    scored = store.scored("my-ward", "five", list(films))
    for name, data in films.items():
        case = store.case("my-ward", name)
        path = None if case is None else images.path(case.root, case.file)
        assert path is not None and path.read_bytes() == data
        drawn = dict(zip(("Mass", "Nodule", "Hernia", "Edema", "Normal"), scores_of(sha256(data)), strict=True))
        assert {finding: np.float32(said.score) for finding, said in scored[name].items()} == drawn
    assert store.count(Slice("my-ward", "five")).films == 5
    store.close()


@pytest.mark.parametrize("headers", [False, True])
def test_a_patients_name_is_kept_only_where_it_was_asked_for(home: Path, tmp_path: Path, headers: bool) -> None:
    data = dicom_bytes(dicom_dataset(rough_film(), PatientName="Doe^Jane"))
    assert b"Doe^Jane" in data
    keep_as_cohort(folder_of(tmp_path / "a", {"a.dcm": data}), "mine", headers=headers)
    (copy,) = (home / "cohorts" / "mine" / "films").iterdir()
    assert (b"Doe^Jane" in copy.read_bytes()) == headers
    assert np.array_equal(read_radiograph(copy).pixels, read_radiograph(data).pixels)


def rough_film() -> NDArray[np.uint16]:
    """The grays of a film that the gate lets pass."""
    with Image.open(io.BytesIO(film(1))) as picture:
        return np.asarray(picture).astype(np.uint16) * 16


def test_a_name_is_refused_that_is_taken_or_none(home: Path, tmp_path: Path) -> None:
    mine = folder_of(tmp_path / "a", {"a.png": film(1)})
    keep_as_cohort(mine, "mine")
    with pytest.raises(NoFolder, match="already"):
        keep_as_cohort(mine, "mine")
    for name in ("nih-oof", "phantom"):
        with pytest.raises((NoFolder, NoCohort)):
            keep_as_cohort(mine, name)
    for name in ("", "../x", "A b", ".x", "x/y"):
        with pytest.raises(NoCohort, match="not a valid name"):
            keep_as_cohort(mine, name)
    assert [path.name for path in (home / "cohorts").iterdir()] == ["mine"]


def test_nothing_is_kept_before_it_is_read(home: Path, tmp_path: Path) -> None:
    mine = VisitorFolder(tmp_path, readers(), 1)
    with pytest.raises(NoFolder, match="still being read"):
        keep_as_cohort(mine, "mine")
    mine.incoming.stop()
    mine.wait(60)
    with pytest.raises(NoFolder, match="nothing to keep"):
        keep_as_cohort(mine, "mine")


def test_simulated_films_are_kept_as_such(home: Path, tmp_path: Path) -> None:
    model = OwnScores()
    model.card = replace(model.card, films="simulated")
    files = {"a.png": sample_bytes("phantom-effusion"), "b.png": film(1)}
    store = Store()
    mine = folder_of(tmp_path / "a", files, model=model, unlisted=store.unlisted)
    rows, refused, card = mine.results()
    assert mine.simulated and [row.source.name for row in rows] == ["a.png"]
    assert counts_by_reason(refused) == {OTHER_KIND: 1}
    assert table_text(rows, refused, card, simulated=True).count("SIMULATED, ") == 5
    name = mine.explore()
    assert store.cohort(name).simulated and store.is_simulated(name)
    assert slice_provenance(store, Slice(name, "five"))["films"] == "SIMULATED"
    keep_as_cohort(mine, "drawn")
    assert store.cohort("drawn").simulated and not store.cohort("drawn").labelled
    assert [each.simulated for each in store.cohorts() if each.name == "drawn"] == [True]
    store.close()
