"""A short real run on real films: learns, resumes, keeps patients apart; and the shipped card against its numbers."""

from __future__ import annotations

import csv
import json
import re
from pathlib import Path

import numpy as np
import pytest
import torch
from safetensors import safe_open

from explorer.core import findings
from models.cards import classifier_card as cards
from models.cards.card import PROJECT, UnsureBand
from models.cards.classifier_card import Card
from models.statistics import unsure_band
from models.training.augment import augment
from models.training.network import started_backbone
from models.training.nih.dataset import NIH_FINDINGS, read_nih_films
from models.training.nih.members import ENSEMBLE_WEIGHTS
from models.training.recipe import TrainingRecipe
from models.training.score import macro_auroc, pair_auroc
from models.training.shipping.crossval import FOLDS, out_of_fold_logits, patient_folds, run_fold
from models.training.start import imagenet_state

WEIGHTS = PROJECT / "models" / "weights"
SHORT = TrainingRecipe(size=64, epochs=2, batch=16)


@pytest.fixture(scope="module")
def root(shared: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An NIH folder with every fortieth film of the real one."""
    folder = tmp_path_factory.mktemp("nih")
    source = shared / "data" / "nih_cxr14"
    with (source / "labels.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    with (folder / "labels.csv").open("w", newline="") as file:
        writer = csv.DictWriter(file, rows[0].keys())
        writer.writeheader()
        writer.writerows(rows[::40])
    for name in ("images", "images_64px"):
        (folder / name).symlink_to(source / name)
    return folder


@pytest.mark.shared
def test_nihs_own_layout_reads_like_ours(shared: Path, tmp_path: Path) -> None:
    originals = shared / "data" / "nih_cxr14" / "original"
    with (shared / "data" / "nih_cxr14" / "labels.csv").open(newline="") as file:
        rows = {row["image_id"]: row for row in csv.DictReader(file)}
    names = sorted(path.stem for path in originals.glob("*.png"))[:4]
    (tmp_path / "images_001").mkdir()
    (tmp_path / "images_001" / "images").symlink_to(originals)
    header = "Image Index,Finding Labels,Follow-up #,Patient ID,Patient Age,Patient Gender,View Position\n"
    lines = [
        f"{name}.png,{row['findings']},0,{row['patient_id']},{row['age']},{row['sex']},{row['view']}\n"
        for name, row in ((name, rows[name]) for name in names)
    ]
    (tmp_path / "Data_Entry_2017.csv").write_text(header + "".join(lines) + "99999999_000.png,Mass,0,99999,50,M,PA\n")
    films = read_nih_films(tmp_path, 64)
    assert list(films.image_ids) == names, "the film that is not there is left out"
    assert set(films.folders) == {"images"}
    for name, labels, patient in zip(names, films.labels, films.patients, strict=True):
        present = {word for word, label in zip(NIH_FINDINGS, labels, strict=True) if label}
        assert present == set(rows[name]["findings"].split("|"))
        assert patient == rows[name]["patient_id"]


def test_a_folder_without_a_table_is_named(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="neither labels.csv nor"):
        read_nih_films(tmp_path, 64)


def test_nih_words_are_the_vocabularys() -> None:
    assert NIH_FINDINGS == findings.NIH_WORDS


@pytest.mark.shared
@pytest.mark.training
def test_a_run_scores_every_film_once_and_resumes(root: Path, tmp_path: Path) -> None:
    films = read_nih_films(root, SHORT.size)
    folds = patient_folds(films)
    for patient in np.unique(films.patients):
        assert len(set(folds[films.patients == patient])) == 1, "a patient in two folds"
    for fold in range(FOLDS):
        run_fold(fold, folds, films, films, SHORT, imagenet_state(), tmp_path)
    logits, stopped, best = out_of_fold_logits(tmp_path, films)
    assert logits.shape == films.labels.shape
    assert np.isfinite(logits).all()
    assert set(stopped) <= {1, 2}
    assert best in (1, 2)
    before = {path: path.stat().st_mtime_ns for path in tmp_path.iterdir()}
    for fold in range(FOLDS):
        run_fold(fold, folds, films, films, SHORT, imagenet_state(), tmp_path)
    assert before == {path: path.stat().st_mtime_ns for path in tmp_path.iterdir()}


def test_the_imagenet_weights_are_whole() -> None:
    model = started_backbone(TrainingRecipe(), 5, imagenet_state())
    color = imagenet_state()["conv_stem.weight"]
    torch.testing.assert_close(model.state_dict()["conv_stem.weight"], color.sum(1, keepdim=True))
    assert model.state_dict()["classifier.weight"].shape[0] == 5


def test_augmentation_never_mirrors() -> None:
    generator = torch.Generator().manual_seed(0)
    film = torch.zeros(64, 1, 96, 96)
    film[:, :, 40:56, 12:24] = 1  # on the left, at mid height
    changed, _ = augment(film, torch.zeros(64, dtype=torch.bool), 96, generator)
    assert changed.shape == film.shape
    assert changed.min() >= 0
    assert changed.max() <= 1
    brightest = changed - changed.flatten(1).median(1).values[:, None, None, None]
    columns = torch.arange(96, dtype=torch.float32)
    center = (brightest.clamp_min(0).sum((1, 2)) * columns).sum(1) / brightest.clamp_min(0).sum((1, 2, 3))
    assert (center < 48).float().mean() > 0.9


@pytest.fixture(scope="module", params=[*ENSEMBLE_WEIGHTS, "nih-ensemble"])
def shipped(request: pytest.FixtureRequest) -> Card:
    """The card of a model of the NIH's films."""
    return cards.classifier_card(request.param)


@pytest.fixture(scope="module")
def numbers(shipped: Card) -> dict[str, np.ndarray]:
    """Its out-of-fold numbers."""
    with safe_open(WEIGHTS / f"{shipped.name}.oof.safetensors", "np") as file:
        arrays = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118 - no mapping
        words = {name: np.array(json.loads(text)) for name, text in file.metadata().items()}
    return arrays | words


def test_the_cards_figures_are_those_of_the_shipped_numbers(shipped: Card, numbers: dict[str, np.ndarray]) -> None:
    labels, logits, folders = numbers["labels"].astype(np.float32), numbers["logits"], numbers["folders"]
    text = (WEIGHTS / f"{shipped.name}.md").read_text(encoding="utf-8")
    macro, count = macro_auroc(labels, logits, folders, least=10)
    assert f"Macro AUROC {macro:.3f} [" in text
    assert f"over {count} findings" in text
    for k, finding in enumerate(numbers["findings"]):
        figure = re.search(rf"^\| {finding} \| (\d+) \| ([\d.]+) \[", text, re.MULTILINE)
        assert figure is not None, finding
        assert int(figure[1]) == labels[:, k].sum()
        assert float(figure[2]) == pytest.approx(pair_auroc(labels[:, k], logits[:, k], folders), abs=6e-4)


def best_cut(present: np.ndarray, scores: np.ndarray) -> float:
    """The threshold of the largest sensitivity plus specificity, all tried, halfway to the next lower score."""
    values = np.unique(scores)
    found, alarms = ((some[:, None] >= values[1:]).mean(0) for some in (scores[present], scores[~present]))
    best = int(np.argmax(found - alarms)) + 1
    return float(values[best - 1 : best + 1].mean())


@pytest.mark.slow
def test_operating_points_are_those_of_the_shipped_numbers(shipped: Card, numbers: dict[str, np.ndarray]) -> None:
    assert tuple(numbers["findings"]) == shipped.findings
    for finding, point in shipped.operating_points.items():
        k = shipped.findings.index(finding)
        present, folds = numbers["labels"][:, k] > 0, numbers["folds"]
        scores = 1 / (1 + np.exp(-numbers["logits"][:, k].astype(np.float64)))
        called = np.zeros(len(scores), dtype=bool)
        for fold in range(5):  # at the threshold that the other folds choose
            held = folds == fold
            called[held] = scores[held] >= best_cut(present[~held], scores[~held])
        assert point.sensitivity == pytest.approx(called[present].mean(), abs=1e-3), finding
        assert point.specificity == pytest.approx((~called[~present]).mean(), abs=1e-3), finding
        assert (point.positives, point.negatives) == (present.sum(), (~present).sum())


def test_unsure_bands_are_those_of_the_shipped_numbers(shipped: Card, numbers: dict[str, np.ndarray]) -> None:
    for k, finding in enumerate(shipped.findings):
        present = numbers["labels"][:, k] > 0
        scores = 1 / (1 + np.exp(-numbers["logits"][:, k].astype(np.float64)))
        cuts = unsure_band(present, scores, shipped.operating_points[finding].threshold)
        band = shipped.bands.get(finding)
        assert (band and (band.low, band.high)) == (cuts and pytest.approx(cuts, abs=1e-6)), finding


def test_what_is_made_of_films_without_findings_is_that_of_the_shipped_numbers(
    shipped: Card, numbers: dict[str, np.ndarray]
) -> None:
    """The card's own bands on out-of-fold scores give nearly what other folds' thresholds gave."""
    free = numbers["labels"][:, 0] > 0
    scores = 1 / (1 + np.exp(-numbers["logits"].astype(np.float64)))
    unsure = above = 0.0
    for k, finding in enumerate(shipped.findings):
        if finding == "Normal" or finding in shipped.cannot_judge:
            continue
        threshold = shipped.operating_points[finding].threshold
        band = shipped.bands.get(finding, UnsureBand(threshold, threshold))  # none: it is never unsure
        unsure += ((scores[free, k] >= band.low) & (scores[free, k] < band.high)).mean()
        above += (scores[free, k] >= band.high).mean()
    said = shipped.finding_free
    assert said is not None
    assert said.films == free.sum()
    near = 0.1 if shipped.name in ("nih-mini", "nih-phantom") else 0.15  # the thresholds of the folds lie far apart
    assert said.unsure == pytest.approx(unsure, abs=near)
    assert said.above == pytest.approx(above, abs=near)
    assert unsure <= {"nih-linear-probe": 2.4, "nih-phantom-20000": 2.1}.get(shipped.name, 2)


def test_folds_keep_patients_apart(numbers: dict[str, np.ndarray]) -> None:
    for patient in np.unique(numbers["patients"]):
        assert len(set(numbers["folds"][numbers["patients"] == patient])) == 1
    assert len(numbers["image_ids"]) == 1650
