"""Networks whose outputs exclude one another: scores are their softmax everywhere, recognized or asked for."""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
import pytest
import timm
import torch
from torch import nn

from models.cards.address import parse_address
from models.cards.card import Card, UnusableModel
from models.cards.classifier_card import classifier_card
from models.cards.output_function import function_of_losses, output_function
from models.cards.weights_file import read_weights
from models.classifier.answer import softmax_log_odds
from models.classifier.new_model import new_model
from models.load import classifier
from tests.support.model_builders import random_film, write_model
from tests.support.wording import Wording, line_with

FILM = random_film(70, 60)
NAMES = "Normal,Pneumonia,COVID-19"


def weights(place: Path, loss: nn.Module | None = None) -> nn.Module:
    torch.manual_seed(0)
    model = timm.create_model("resnet10t", num_classes=3, in_chans=1).eval()
    with torch.no_grad():
        model.get_submodule("fc").bias.copy_(torch.tensor([6.0, 5.0, 4.0]))  # a softmax does not see what all have
    torch.save({"state_dict": model.state_dict(), "criterion": loss}, place)
    return model


def test_log_odds_are_those_of_the_softmax_even_of_extreme_outputs() -> None:
    outputs = torch.tensor([[6.0, 5.0, 4.0], [300.0, 0.0, -300.0]])
    assert torch.allclose(torch.sigmoid(softmax_log_odds(outputs)), outputs.softmax(1))
    assert torch.isfinite(softmax_log_odds(outputs)).all()


def test_scores_are_the_softmax_in_every_answer(tmp_path: Path) -> None:
    model = weights(tmp_path / "three.pth")
    found = classifier(f"{tmp_path / 'three.pth'}?findings={NAMES}&size=64&function=softmax", "cpu")
    with torch.no_grad():
        wanted = model(found.inputs([FILM])).softmax(1).numpy()  # type: ignore[union-attr]
    for scores in (found.score([FILM]), found.read(FILM)[0][None], found.explain(FILM).scores[None]):
        assert np.allclose(scores, wanted, atol=1e-5)
    assert np.isclose(found.score([FILM]).sum(), 1, atol=1e-5)
    assert found.heat(FILM, ["COVID-19"]).maps.shape[0] == 1


def test_an_output_without_a_name_still_takes_its_share(tmp_path: Path) -> None:
    weights(tmp_path / "three.pth")
    place = f"{tmp_path / 'three.pth'}?size=64&function=softmax&findings="
    two, three = classifier(f"{place},Pneumonia,COVID-19", "cpu"), classifier(place + NAMES, "cpu")
    assert np.allclose(two.score([FILM]), three.score([FILM])[:, 1:], atol=1e-6)
    assert two.explain(FILM).maps.shape[0] == 2


def made(place: Path, home: Path, monkeypatch: pytest.MonkeyPatch, names: str = NAMES, more: str = "") -> Card:
    monkeypatch.setenv("TAILSCOPE_HOME", str(home))
    return new_model(parse_address(f"{place}?findings={names}&size=64{more}"), None, FILM).card


def test_the_function_is_recognized_by_the_loss_and_kept_in_the_card(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, wording: Wording
) -> None:
    weights(tmp_path / "ce.pth", nn.CrossEntropyLoss())
    about = made(tmp_path / "ce.pth", tmp_path / "home", monkeypatch)
    assert about.function == "softmax"
    wording(line_with(about.guessed, "CrossEntropyLoss"))
    assert classifier_card("ce").function == "softmax"
    weights(tmp_path / "bce.pth", nn.BCEWithLogitsLoss())
    assert made(tmp_path / "bce.pth", tmp_path / "home", monkeypatch).function == "sigmoid"


def test_it_is_asked_for_where_there_are_a_few_outputs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, wording: Wording
) -> None:
    weights(tmp_path / "three.pth")
    for names in (NAMES, "Pneumonia,COVID-19,Tuberculosis"):
        with pytest.raises(UnusableModel) as caught:
            made(tmp_path / "three.pth", tmp_path / "home", monkeypatch, names)
        wording(caught.value, "`function`")
    about = made(tmp_path / "three.pth", tmp_path / "home", monkeypatch, more="&function=sigmoid")
    assert about.function == "sigmoid" and not any("Scores by" in each for each in about.guessed)
    function, words = output_function((), list("abcdefg"))
    assert function == "sigmoid" and "function=softmax" in words
    assert output_function((), ["Mass"])[0] == output_function(("CrossEntropyLoss",), ["Mass"])[0] == "sigmoid"


@pytest.mark.parametrize(
    ("beside", "function"),
    [
        ({"hyper_parameters": {"loss": "cross_entropy", "lr": 1e-3}}, "softmax"),
        ({"criterion": "CrossEntropyLoss"}, "softmax"),
        ({"config": {"train": {"loss_fn": {"_target_": "torch.nn.CrossEntropyLoss"}}}}, "softmax"),
        ({"args": argparse.Namespace(loss="ce", epochs=3)}, "softmax"),
        ({"hyper_parameters": {"loss": "sparse_categorical_crossentropy"}}, "softmax"),
        ({"hyper_parameters": {"loss": "bce_with_logits"}}, "sigmoid"),
        ({"args": {"criterion": "BCEWithLogitsLoss"}}, "sigmoid"),
        ({"loss_type": "binary_cross_entropy"}, "sigmoid"),
        ({"loss": 0.31, "monitor": "cross_entropy"}, None),
        ({"hyper_parameters": {"loss": "focal"}}, None),
        ({"a": {"loss": "ce"}, "b": {"loss": "bce"}}, None),
    ],
)
def test_a_loss_that_is_named_by_a_word_tells_the_function(
    beside: dict[str, object], function: str | None, tmp_path: Path
) -> None:
    torch.save({"state_dict": {"fc.weight": torch.ones(3, 2)}} | beside, tmp_path / "w.ckpt")
    found = read_weights("w.ckpt", (tmp_path / "w.ckpt").read_bytes())
    told = function_of_losses(found.losses)
    assert (told and told[0]) == function


def test_a_card_with_an_unknown_function_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UnusableModel, match="function is 'argmax'"):
        classifier_card(str(write_model(tmp_path, "resnet18", function="argmax")))
    with pytest.raises(UnusableModel, match="neither sigmoid nor softmax"):
        classifier_card(f"{tmp_path / 'a.pth'}?function=argmax")
