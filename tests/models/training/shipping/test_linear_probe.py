"""A linear probe is scikit-learn's logistic regression on the features of a network that stays as it was."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import numpy as np
import pytest
import torch
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from torch import Tensor, nn

from models.classifier.backbone import Backbone
from models.training.films import TrainingFilms
from models.training.network import predict, started_backbone
from models.training.nih.nih_recipe import INVERSE_PENALTIES
from models.training.recipe import TrainingRecipe
from models.training.shipping.crossval import FOLDS, out_of_fold_logits, patient_folds, run_fold
from models.training.shipping.linear_probe import fit_layer, fit_probe
from models.training.shipping.nih.probe_starts import probe_logits
from models.training.start import imagenet_state
from models.training.trained import pooled_features

SIZE, COUNT = 64, 60
RECIPE = TrainingRecipe(size=SIZE)
PENALTIES = (0.001, 0.1)


@pytest.fixture(scope="module")
def films() -> TrainingFilms:
    """The first finding is a bright patch, the second chance, the third there on none, the fourth on all."""
    random = np.random.default_rng(0)
    pixels = random.integers(0, 120, (COUNT, SIZE, SIZE), dtype=np.uint8)
    present = np.arange(COUNT) % 3 == 0
    pixels[present, 16:48, 16:48] += 100
    chance = random.random(COUNT) < 0.4
    return TrainingFilms(
        image_ids=tuple(f"film{each}" for each in range(COUNT)),
        paths=tuple(Path(f"film{each}.png") for each in range(COUNT)),
        pixels=pixels,
        labels=np.stack([present, chance, np.zeros(COUNT), np.ones(COUNT)], 1).astype(np.float32),
        patients=np.array([f"patient{each // 2}" for each in range(COUNT)]),
        folders=np.array(["a", "b"])[np.arange(COUNT) % 2],
        sharp=np.ones(COUNT, dtype=bool),
        traits=np.full((COUNT, 3), np.nan, dtype=np.float32),
    )


@pytest.fixture(scope="module")
def state() -> dict[str, Tensor]:
    return imagenet_state()


@pytest.fixture(scope="module")
def probed(films: TrainingFilms, state: dict[str, Tensor]) -> tuple[dict[int, np.ndarray], nn.Module]:
    """Logits of all films by number of the penalty, fitted to the first forty, and the last network."""
    said: dict[int, np.ndarray] = {}

    def keep(number: int, network: nn.Module, loss: float) -> None:
        assert 0 < loss < 1
        said[number] = predict(network, films.pixels, 4)

    return said, fit_probe(films, np.arange(40), RECIPE, state, 0, keep, inverse_penalties=PENALTIES)


def test_it_is_scikit_learns_regression_on_standardized_features(
    films: TrainingFilms, probed: tuple[dict[int, np.ndarray], nn.Module]
) -> None:
    said, network = probed
    pooled = pooled_features(Backbone(network), films.pixels).astype(np.float64)
    assert list(said) == [1, 2]
    for number, inverse_penalty in enumerate(PENALTIES, start=1):
        for finding in (0, 1):
            reference = make_pipeline(StandardScaler(), LogisticRegression(C=inverse_penalty, max_iter=1000))
            reference.fit(pooled[:40], films.labels[:40, finding] > 0.5)
            np.testing.assert_allclose(said[number][:, finding], reference.decision_function(pooled), atol=2e-3)
    assert said[2][films.labels[:, 0] > 0.5, 0].min() > said[2][films.labels[:, 0] < 0.5, 0].max()


def test_a_finding_that_none_or_all_have_is_as_rare_or_frequent_everywhere(
    probed: tuple[dict[int, np.ndarray], nn.Module],
) -> None:
    for logits in probed[0].values():
        assert np.ptp(logits[:, 2:], axis=0) == pytest.approx([0, 0], abs=1e-6)
        assert (logits[:, 2] < -10).all()
        assert (logits[:, 3] > 10).all()


def test_nothing_below_the_last_layer_changes(
    state: dict[str, Tensor], probed: tuple[dict[int, np.ndarray], nn.Module]
) -> None:
    own = probed[1].state_dict()
    for name, source in zip(own, state.values(), strict=True):
        if name not in ("conv_stem.weight", "classifier.weight", "classifier.bias"):
            assert torch.equal(own[name], source), name


def test_the_last_alone_is_the_same_network(
    films: TrainingFilms, state: dict[str, Tensor], probed: tuple[dict[int, np.ndarray], nn.Module]
) -> None:
    seen: list[int] = []
    alone = fit_probe(
        films,
        np.arange(40),
        RECIPE,
        state,
        1,
        lambda number, *_: seen.append(number),
        last=2,
        inverse_penalties=PENALTIES,
    )
    assert seen == [2]
    for name, tensor in probed[1].state_dict().items():
        assert torch.equal(alone.state_dict()[name], tensor), name


@pytest.mark.slow
def test_the_folds_choose_a_penalty_as_they_choose_an_epoch(
    films: TrainingFilms, state: dict[str, Tensor], tmp_path: Path
) -> None:
    folds = patient_folds(films)
    trainer = partial(fit_probe, inverse_penalties=INVERSE_PENALTIES)
    for fold in range(FOLDS):
        run_fold(fold, folds, films, films, RECIPE, state, tmp_path, trainer)
    logits, stopped, best = out_of_fold_logits(tmp_path, films)
    assert set(stopped) <= {1, 2, 3}
    assert best in (1, 2, 3)
    present = films.labels[:, 0] > 0.5
    assert logits[present, 0].min() > logits[~present, 0].max()
    network = started_backbone(RECIPE, 1, state).eval().requires_grad_(False)
    np.testing.assert_allclose(
        probe_logits(films, folds, pooled_features(Backbone(network), films.pixels)), logits, atol=1e-3
    )


def test_a_feature_that_only_rounding_changes_has_no_weight() -> None:
    random = np.random.default_rng(3)
    labels = (np.arange(40) % 2).astype(np.float32)[:, None]
    tells, rounded = labels[:, 0] + random.normal(0, 0.5, 40), 3 + labels[:, 0] * 1e-7
    layer = fit_layer(np.stack([tells, rounded], 1), labels, 1.0)
    assert layer.weight[0, 0] > 0.5 and layer.weight[0, 1] == 0
