"""Studies are trained and scored: films that are alone as ever, films of one study together."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import torch
from torch import Tensor, nn

from models.training.film_groups import film_groups
from models.training.films import TrainingFilms
from models.training.mixing.mix import Mix
from models.training.network import HeadedNetwork, new_network, predict, predict_studies
from models.training.network_at_size import NetworkAtSize
from models.training.precision import Precision
from models.training.recipe import RecipePart, TrainingRecipe
from models.training.trainer import _Run, fit_network
from tests.support.few_films import SIZE, few_films

HEAD = RecipePart("cross-view", {"width": 16, "hidden": 24, "attention_heads": 4, "text": False})
needs_cuda = [
    pytest.mark.cuda,
    pytest.mark.skipif(not torch.cuda.is_available(), reason="there is no CUDA device here"),
]
SHORT = TrainingRecipe(size=SIZE, epochs=1, batch=4, trains="head", loss=RecipePart("bce"))


def network() -> nn.Module:
    torch.manual_seed(0)
    return new_network(SHORT, HEAD, np.full(3, 0.3, np.float32), 3, {})


def trained(films: TrainingFilms, recipe: TrainingRecipe, device: str = "cpu") -> dict[str, Tensor]:
    begun = network().to(device)
    torch.manual_seed(1)
    fit_network(begun, films, np.arange(len(films)), recipe, 0, lambda *_: None)
    return begun.state_dict()


def paired(films: TrainingFilms) -> TrainingFilms:
    """Films of which the first six are three studies of a frontal and a lateral film, the others are alone."""
    studies = [f"study {n // 2 if n < 6 else n}" for n in range(len(films))]
    lateral = np.array([n < 6 and n % 2 == 1 for n in range(len(films))])
    return replace(films, studies=np.array(studies), lateral=lateral)


@pytest.mark.training
def test_films_that_are_alone_are_trained_as_without_studies() -> None:
    films = few_films(16, 3)
    one, other = trained(films, SHORT), trained(films, replace(SHORT, study_films=4))
    for name, values in one.items():
        torch.testing.assert_close(other[name], values, rtol=1e-4, atol=1e-5, msg=name)


@pytest.mark.training
def test_studies_train_the_head_and_not_the_backbone() -> None:
    found, begun = trained(paired(few_films(16, 3)), replace(SHORT, study_films=4)), network().state_dict()
    moved = {name for name, values in found.items() if not torch.equal(values, begun[name])}
    assert "head.views" in moved and all(torch.isfinite(values).all() for values in found.values())
    assert all(name.startswith(("head.", "body.classifier.")) for name in moved)
    apart = (found["head.views"] - begun["head.views"]).abs().amax(1)
    assert (apart > 0).all(), "both views are learned"


def test_studies_are_mixed_place_by_place() -> None:
    """Three quarters of a study of two films and a quarter of one with one film, and the other way around."""
    films = paired(few_films(8, 3))
    still = RecipePart("targeted", {"rare": 0.0})
    run = _Run(network(), films, np.arange(8), replace(SHORT, study_films=4, augmentation=still), 0, Precision())
    partner = torch.tensor([1, 0])
    mixed = Mix(((0.75, torch.arange(2)), (0.25, partner)), lambda maps: 0.75 * maps + 0.25 * maps[partner])
    run.mixed = lambda count, generator: mixed
    batch = run._changed(np.array([0, 3]))
    run.mixed = None
    alone = run._changed(np.array([0, 3])).inputs
    assert alone[1, 1].unique().tolist() == [-2.0], "black"
    torch.testing.assert_close(batch.inputs[1, 1], 0.75 * alone[1, 1] + 0.25 * alone[0, 1])
    assert batch.present.tolist() == [[True, True], [True, True]]
    assert batch.lateral.tolist() == [[False, True], [False, True]], "the lateral film's place stays lateral"
    assert run._changed(np.array([3, 4])).inputs.shape[1] == 1, "no study of the batch has two films"


@pytest.mark.training
@pytest.mark.parametrize("device", [pytest.param("cuda", marks=needs_cuda)])
def test_a_gpu_reads_studies_like_the_processor(device: str) -> None:
    films = paired(few_films(16, 3))
    recipe = replace(SHORT, study_films=4, mixup=0.0, dropout=0.0, drop_path=0.0)
    found = trained(films, recipe, device)
    assert all(torch.isfinite(values).all() for values in found.values())
    model, groups = network().eval(), film_groups(films, np.arange(16), 4)
    expected = predict_studies(model, films, groups, 3)
    np.testing.assert_allclose(predict_studies(model.to(device), films, groups, 3), expected, atol=0.01)


def test_a_study_has_one_score_whatever_the_order_of_its_films() -> None:
    model, films = network().eval(), paired(few_films(9, 3))
    films = replace(films, pixels=films.pixels[:, 4:-4, 4:-4])
    groups = film_groups(films, np.arange(9), 4)
    found = predict_studies(model, films, groups, 3)[groups.number]
    np.testing.assert_array_equal(found[0], found[1])
    back = np.arange(9)[::-1]
    arrays = {name: getattr(films, name)[back] for name in ("pixels", "labels", "traits", "studies", "lateral")}
    turned = replace(films, image_ids=films.image_ids[::-1], **arrays)
    others = film_groups(turned, np.arange(9), 4)
    np.testing.assert_allclose(predict_studies(model, turned, others, 3)[others.number][back], found, atol=1e-5)
    alone = predict(model, films.pixels, 3)
    np.testing.assert_allclose(found[6:], alone[6:], atol=1e-5)
    assert np.abs(found[:6] - alone[:6]).max() > 1e-3, "the second film changes the score"
    first = film_groups(films, np.arange(9), 1)
    np.testing.assert_allclose(predict_studies(model, films, first, 3)[0], alone[0], atol=1e-5)


def test_larger_films_are_reduced() -> None:
    model, films = network().eval(), paired(few_films(4, 3))
    assert isinstance(model, HeadedNetwork)
    groups = film_groups(films, np.arange(4), 4)
    found = predict_studies(NetworkAtSize(model, SIZE), films, groups, 3)
    assert found.shape == (2, 3) and np.isfinite(found).all()
