"""A download becomes a cohort that Explore can open, and the command says how."""

from __future__ import annotations

from pathlib import Path

import pyarrow.parquet as pq
import pytest

from explorer.cli.ingest_datasets import EXTRA_OPTIONS
from explorer.cohorts import layout
from explorer.cohorts.listing import check_cohort
from explorer.ingest.building import JOURNAL
from explorer.ingest.datasets.catalog import KNOWN_DATASETS, KnownDataset
from explorer.ingest.datasets.importing import import_dataset, relabel_dataset
from explorer.ingest.datasets.vindr import CONSENSUS_SOURCE
from explorer.ingest.datasets.wanted import ImportOptions
from explorer.ingest.report import report_text
from explorer.store.slices import Slice
from explorer.tabular.problems import FailedChecks, WrongInput
from tests.explorer.cli.command import run
from tests.explorer.ingest.brought import written
from tests.explorer.ingest.datasets.conftest import Imported
from tests.explorer.ingest.datasets.samples import SAMPLES
from tests.support.small_cohort import store_of
from tests.support.wording import Wording, line_with

DOCS = Path(__file__).parents[4] / "docs" / "datasets.md"


def test_explore_counts_together_and_each_reader_where_asked(imported: Imported, tmp_path: Path) -> None:
    imported("vindr")
    scores = written(tmp_path / "S.csv", "image_id,Cardiomegaly,Pneumothorax\nf1,0.9,0.9\nf2,0.1,0.1\nt1,0.1,0.9\n")
    done = run("ingest", "predictions", str(scores), "--model", "ours", "--cohort", "vindr")
    assert done.exit_code == 0, done.stderr
    store = store_of(layout.cohort_folder("vindr"))
    try:
        sources = store.facets("vindr", "ours").label_sources
        assert {CONSENSUS_SOURCE, "VinDr-CXR, reader R9", "VinDr-CXR, reader R8"} <= set(sources)
        column = store.column(Slice(cohort="vindr", model="ours"), "Pneumothorax")
        assert column.label.tolist() == [0, 0, 1]  # of the readers of f1 only one saw it
    finally:
        store.close()


def test_an_interrupted_import_goes_on(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Stopped(Exception):
        pass

    def stopped(*_: object) -> None:
        raise Stopped

    SAMPLES["padchest"](tmp_path)
    with monkeypatch.context() as patched:
        patched.setattr("explorer.ingest.make_cohort.write_cases", stopped)
        with pytest.raises(Stopped):
            import_dataset("padchest", tmp_path, ImportOptions(), "padchest")
    journal = home / "cohorts" / ".padchest.partial" / JOURNAL
    assert journal.read_text().count(".png") == 5
    monkeypatch.setattr("explorer.ingest.checking.inspect_file", stopped)  # no film is looked at again
    assert import_dataset("padchest", tmp_path, ImportOptions(), "padchest").manifest.cases == 5
    assert not journal.exists()


def test_the_report_ends_with_one_line_of_all(imported: Imported, wording: Wording) -> None:
    *_, last = report_text(imported("padchest")).splitlines()
    wording(last, "5 patients", "5 studies", "5 films", "1 center", "5 positives")


@pytest.mark.parametrize("name", sorted(SAMPLES))
def test_labels_alone_are_replaced(imported: Imported, tmp_path: Path, name: str) -> None:
    folder = imported(name).folder
    before, said = pq.read_table(folder.cases), pq.read_table(folder.labels)
    written(folder.model("ours"), "{}")
    report = relabel_dataset(name, tmp_path / name, ImportOptions(), name)
    assert pq.read_table(folder.cases).equals(before) and pq.read_table(folder.labels).equals(said)
    assert folder.model("ours").is_file() and "scores kept of 1 model" in report.notes[-1]
    check_cohort(folder)


def test_the_command_replaces_labels_of_its_cohort_alone(imported: Imported, tmp_path: Path, wording: Wording) -> None:
    imported("chexpert")
    order = ("ingest", "chexpert", "--root", str(tmp_path / "chexpert"), "--replace-labels")
    assert "labels replaced" in run(*order, "--accept-rejects").stdout
    assert run(*order, "--replace").exit_code == 2
    other = run(*order, "--out", "another")
    assert other.exit_code == 2
    wording(line_with(other.stderr, "'another'"))


@pytest.mark.parametrize("name", sorted(SAMPLES))
def test_labels_alone_need_no_film_and_no_root_is_kept(imported: Imported, name: str) -> None:
    def without(root: Path) -> None:
        for path in root.rglob("*"):
            if path.suffix in (".png", ".jpg", ".dcm", ".dicom"):
                path.unlink()

    folder = imported(name, ImportOptions(labels_only=True), without).folder
    assert not (folder.path / "roots.json").exists()


@pytest.mark.parametrize("dataset", KNOWN_DATASETS, ids=lambda dataset: dataset.name)
def test_every_dataset_has_a_command_and_stands_in_the_docs(dataset: KnownDataset) -> None:
    name = dataset.name
    shown = run("ingest", name, "--help").stdout
    assert f"python -m explorer ingest {name} --root" in shown and "--labels-only" in shown
    asked = {option: f"--{option.replace('_', '-')} " in shown for option in EXTRA_OPTIONS}
    assert asked == {option: option in dataset.options for option in EXTRA_OPTIONS}
    docs = DOCS.read_text(encoding="utf-8")
    assert f"ingest {name} --root" in docs and f"\n| {dataset.title} |" in docs and f"\n**{dataset.title}" in docs


def test_the_command_makes_the_cohort_and_says_mistakes(home: Path, tmp_path: Path) -> None:
    SAMPLES["chexpert"](tmp_path / "chexpert")
    wrong = run("ingest", "chexpert", "--root", str(tmp_path))
    assert wrong.exit_code == 2 and f"name {tmp_path / 'chexpert'}" in wrong.stderr
    done = run("ingest", "chexpert", "--root", str(tmp_path / "chexpert"), "--blank", "absent")
    assert done.exit_code == 0, done.stderr
    assert done.stdout.startswith("Cohort chexpert: 4 films of 4") and "a blank is absent" in done.stdout
    bare = run("ingest", "chexpert", "--root", str(tmp_path / "chexpert"), "--labels-only", "--out", "labels")
    assert bare.exit_code == 0 and "Cohort labels: 4 films of 4" in bare.stdout


def test_films_that_are_there_and_no_films_are_not_said_to_be_missing(imported: Imported, wording: Wording) -> None:
    def spoiled(root: Path) -> None:
        for film in root.rglob("*.png"):
            written(film, "Dear colleague")

    with pytest.raises(FailedChecks) as caught:
        imported("cxrlt2026", change=spoiled)
    wording(caught.value, "readable film 3")


def test_nih_without_films(home: Path, tmp_path: Path) -> None:
    written(tmp_path / "labels.csv", "file,image_id,findings\na.png,a,Mass\n")
    assert run("ingest", "nih", "--root", str(tmp_path)).exit_code == 1
    assert run("ingest", "nih", "--root", str(tmp_path), "--labels-only").exit_code == 0


def test_a_folder_that_is_not_there_is_told_before_the_cohort_is_begun(home: Path, tmp_path: Path) -> None:
    with pytest.raises(WrongInput, match="There is no folder"):
        import_dataset("rsna", tmp_path / "none", ImportOptions(), "rsna")
    assert not home.exists()
