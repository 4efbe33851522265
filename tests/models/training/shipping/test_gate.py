"""Gate statistics: fitted right, made from a run, and those that are shipped against their own numbers."""

from __future__ import annotations

import csv
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from safetensors import safe_open
from safetensors.torch import save_file

from models.cards import classifier_card as cards
from models.gate.film_looks import IDENTITY, TRANSFORMS
from models.gate.statistics import gate_statistics
from models.training.films import TrainingFilms
from models.training.network import started_backbone
from models.training.nih.dataset import read_nih_films
from models.training.recipe import TrainingRecipe
from models.training.shipping.crossval import FOLDS, fold_weights_path, patient_folds
from models.training.shipping.gate import CUT_DEVIATIONS, TESTED_TRANSFORMS, fit_cloud, write_gate_file
from models.training.start import imagenet_state

SMALL = TrainingRecipe(size=64)


@pytest.fixture(scope="module")
def films(shared: Path, tmp_path_factory: pytest.TempPathFactory) -> TrainingFilms:
    """Every twelfth of the NIH films."""
    source, folder = shared / "data" / "nih_cxr14", tmp_path_factory.mktemp("nih")
    with (source / "labels.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    with (folder / "labels.csv").open("w", newline="") as file:
        writer = csv.DictWriter(file, rows[0].keys())
        writer.writeheader()
        writer.writerows(rows[::12])
    for name in ("images", "images_64px"):
        (folder / name).symlink_to(source / name)
    return read_nih_films(folder, SMALL.size)


@pytest.fixture(scope="module")
def run(films: TrainingFilms, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished run whose networks learned nothing since ImageNet."""
    out = tmp_path_factory.mktemp("run")
    state = started_backbone(SMALL, films.labels.shape[1], imagenet_state()).state_dict()
    state = {name: tensor.contiguous() for name, tensor in state.items()}
    folds = patient_folds(films)
    for fold in range(FOLDS):
        save_file(state, fold_weights_path(out, fold, 1))
        rows = np.flatnonzero(folds == fold)
        np.savez(out / f"fold-{fold}.npz", rows=rows, logits=np.zeros((1, len(rows), films.labels.shape[1])))
    save_file(state, out / "final.safetensors")
    return out


@pytest.mark.slow
@pytest.mark.shared
def test_a_run_becomes_a_gate_file(films: TrainingFilms, run: Path, tmp_path: Path) -> None:
    path = tmp_path / "own.gate.safetensors"
    write_gate_file(run, films, patient_folds(films), SMALL, path)
    with safe_open(path, "np") as file:
        ways, strange = file.get_tensor("oof.ways"), file.get_tensor("oof.strangeness")
    assert ways.shape == strange.shape == (len(films), len(TESTED_TRANSFORMS))
    for column, held in enumerate(TESTED_TRANSFORMS):  # what was done to a film is what it seems to need the reverse of
        undone = replace(held, turns=-held.turns % 4)
        assert np.mean(ways[:, column] == TRANSFORMS.index(undone)) > 0.9, held
    np.testing.assert_allclose(strange[:, 0], strange[:, 1], rtol=0.2)
    known = gate_statistics(replace(cards.classifier_card("nih-mini"), gate=str(path)))
    assert known is not None
    assert known.cut > np.median(strange[:, 0])


def test_a_clouds_own_films_lie_about_one_away() -> None:
    rng = np.random.default_rng(0)
    vectors = (rng.normal(size=(4000, 40)) * np.linspace(3, 0.5, 40)).astype(np.float32)
    fitted = fit_cloud(vectors[:2000], 8)
    assert fitted.distance(vectors[:2000]).mean() == pytest.approx(1, abs=0.01)
    assert fitted.distance(vectors[2000:]).mean() == pytest.approx(1, abs=0.05)
    assert fitted.distance(vectors[2000:] + 10).min() > 10


def test_the_shipped_cut_follows_from_the_shipped_numbers() -> None:
    card = cards.classifier_card("nih-mini")
    known = gate_statistics(card)
    assert known is not None
    path = card.local_file(str(card.gate))
    assert path.stat().st_size < 1_500_000
    with safe_open(path, "np") as file:
        ways, strange = file.get_tensor("oof.ways"), file.get_tensor("oof.strangeness").astype(np.float64)
    logarithms = np.log(strange[:, 0])
    assert known.cut == pytest.approx(np.exp(logarithms.mean() + CUT_DEVIATIONS * logarithms.std()), rel=1e-3)
    refused = (ways[:, 0] != TRANSFORMS.index(IDENTITY)) | (strange[:, 0] > known.cut)
    assert refused.mean() <= 0.02
