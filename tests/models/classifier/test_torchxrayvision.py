"""The presets of torchxrayvision against its own code, on random weights in the files that it publishes."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
import torch

from models.cards.card import UnusableModel
from models.cards.classifier_card import classifier_card
from models.cards.home import HOME_VARIABLE, downloads
from models.cards.weights_file import load_weights
from models.classifier.classifier import Classifier
from tests.support.model_builders import random_film
from tests.support.torchxrayvision_files import PRESETS, published, their_own, write_published, xrv

RENAMED = {"Effusion": "Pleural Effusion", "Pleural_Thickening": "Pleural Thickening"}
FILMS = [random_film(300, 260, seed=1), random_film(240, 320, seed=2)]


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home without weights; the user's own folder of torchxrayvision is out of the way too."""
    monkeypatch.setenv(HOME_VARIABLE, str(tmp_path / "home"))
    monkeypatch.setenv("HOME", str(tmp_path))
    return tmp_path


def opened(name: str) -> Classifier:
    return Classifier(*load_weights(classifier_card(name)), "cpu")


@pytest.mark.parametrize("name", PRESETS)
def test_a_card_says_what_torchxrayvision_does(name: str) -> None:
    about, theirs = classifier_card(name), published(name)
    points = dict(zip(theirs["labels"], theirs["op_threshs"], strict=False))
    trained = [label for label in theirs["labels"] if label and not math.isnan(points[label])]
    assert about.findings == tuple(RENAMED.get(label, label) for label in trained)
    assert len(about.outputs or about.findings) == 18
    assert {finding: point.threshold for finding, point in about.operating_points.items()} == {
        RENAMED.get(label, label): points[label] for label in trained
    }
    assert not any(point.counted for point in about.operating_points.values())
    assert about.download and about.download.address == theirs["weights_url"]
    assert about.size == theirs["input_resolution"]
    assert about.training and not about.platt, "the warped output is no probability"


@pytest.mark.slow
@pytest.mark.parametrize("name", PRESETS)
def test_scores_are_those_of_torchxrayvisions_own_forward(name: str) -> None:
    file = write_published(name, downloads())
    ours, theirs = opened(name), their_own(name, file.parent)
    rows = [place for place, label in enumerate(ours.card.outputs or ours.card.findings) if label]
    films = FILMS[: 2 if name == "xrv-all" else 1]
    inputs = ours.inputs(films)
    assert inputs.shape == (len(films), 1, ours.card.size, ours.card.size)
    assert inputs.min() == -1024 and 500 < inputs.max() <= 1024
    with torch.no_grad():
        stretched = theirs(inputs)[:, rows].numpy()
        theirs.op_threshs, theirs.apply_sigmoid = None, True
        plain = theirs(inputs)[:, rows].numpy()
    scores = ours.score(films)
    assert plain.std() > 0.01, "scores that are all alike would prove nothing"
    np.testing.assert_allclose(scores, plain, atol=1e-5)
    points = torch.tensor([ours.card.operating_points[finding].threshold for finding in ours.findings])
    np.testing.assert_allclose(xrv.models.op_norm(torch.from_numpy(scores), points), stretched, atol=1e-5)


def test_features_and_maps_are_those_of_the_network() -> None:
    file = write_published("xrv-chex", downloads(), legacy=False)
    ours, theirs = opened("xrv-chex"), their_own("xrv-chex", file.parent)
    inputs = ours.inputs(FILMS[:1])
    with torch.no_grad():
        np.testing.assert_allclose(ours.features(FILMS[:1]), theirs.features2(inputs).numpy(), 1e-5, 1e-5)
        maps = torch.relu(theirs.features(inputs))[0]
    weight = theirs.classifier.weight.detach()
    asked = ["Lung Lesion", "Pleural Effusion", "Enlarged Cardiomediastinum"]
    rows = [published("xrv-chex")["labels"].index(label) for label in ("Lung Lesion", "Effusion")] + [17]
    contribution = torch.einsum("kc,chw->khw", weight[rows], maps).relu() / maps[0].numel()
    heat = ours.heat(FILMS[0], asked)
    np.testing.assert_allclose(heat.maps, contribution.numpy(), rtol=1e-3, atol=1e-6)
    assert ours.heat(FILMS[0], asked[:1]).on_film().shape == (1, 300, 260)


def test_the_card_of_a_loaded_preset_has_the_hash_of_its_file() -> None:
    import hashlib

    file = write_published("xrv-rsna", downloads())
    assert opened("xrv-rsna").card.sha256 == hashlib.sha256(file.read_bytes()).hexdigest()
    assert classifier_card("xrv-rsna").sha256 == ""


def test_a_file_that_torchxrayvision_downloaded_is_used(home: Path) -> None:
    write_published("xrv-rsna", home / ".torchxrayvision" / "models_data")
    assert opened("xrv-rsna").findings == ("Pneumonia", "Lung Opacity")


def test_without_a_network_the_refusal_says_all_that_is_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    def unreachable(*_: object, **__: object) -> None:
        raise OSError("Network is unreachable")

    monkeypatch.setattr("urllib.request.urlopen", unreachable)
    with pytest.raises(UnusableModel) as refused:
        opened("xrv-all")
    said = str(refused.value)
    for words in (
        "could not be downloaded",
        "28 MB",
        "Apache-2.0",
        "curl -LO https://",
        str(downloads()),
        "unreachable",
    ):
        assert words in said, words
