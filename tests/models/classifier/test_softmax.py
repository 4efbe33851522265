"""Networks whose outputs exclude one another: scores are their softmax everywhere, recognized or asked for."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import timm
import torch
from torch import nn

from models.cards.address import parsed
from models.cards.card import Card, UnusableModel
from models.cards.classifier_card import card
from models.classifier.answer import log_odds
from models.classifier.new_model import new_model
from models.load import classifier
from tests.support.model_builders import random_film, write_model

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
    assert torch.allclose(torch.sigmoid(log_odds(outputs)), outputs.softmax(1))
    assert torch.isfinite(log_odds(outputs)).all()


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
    return new_model(parsed(f"{place}?findings={names}&size=64{more}"), None, FILM).card


def test_the_function_is_recognized_by_the_loss_and_kept_in_the_card(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    weights(tmp_path / "ce.pth", nn.CrossEntropyLoss())
    about = made(tmp_path / "ce.pth", tmp_path / "home", monkeypatch)
    assert about.function == "softmax" and "Scores by softmax: the file names CrossEntropyLoss." in about.guessed
    assert card("ce").function == "softmax"
    weights(tmp_path / "bce.pth", nn.BCEWithLogitsLoss())
    assert made(tmp_path / "bce.pth", tmp_path / "home", monkeypatch).function == "sigmoid"


def test_it_is_asked_for_where_a_few_outputs_include_normal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    weights(tmp_path / "three.pth")
    with pytest.raises(UnusableModel, match="Do its outputs exclude one another"):
        made(tmp_path / "three.pth", tmp_path / "home", monkeypatch)
    about = made(tmp_path / "three.pth", tmp_path / "home", monkeypatch, more="&function=sigmoid")
    assert about.function == "sigmoid" and not any("Scores by" in each for each in about.guessed)
    about = made(tmp_path / "three.pth", tmp_path / "home", monkeypatch, "Mass,Nodule,ILD", "&name=other")
    assert about.function == "sigmoid" and any("one for each output" in each for each in about.guessed)


def test_a_card_with_an_unknown_function_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UnusableModel, match="function is 'argmax'"):
        card(str(write_model(tmp_path, "resnet18", function="argmax")))
    with pytest.raises(UnusableModel, match="neither sigmoid nor softmax"):
        card(f"{tmp_path / 'a.pth'}?function=argmax")
