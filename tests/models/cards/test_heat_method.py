"""The names of heat map methods, and the file that says which one a model has and what it is worth."""

from __future__ import annotations

from pathlib import Path

import pytest

from models.cards.card import UnusableModel
from models.cards.classifier_card import classifier_card
from models.cards.heat_method import HeatMethod
from models.cards.map_card import MapCard, MapHits, map_card, map_card_text
from models.cards.toml_table import WrongTable
from tests.support.model_builders import write_model
from tests.support.wording import Wording

METHOD = HeatMethod("HiResCAM", ("blocks.4",), 224, contrastive=True)
CARD = MapCard(METHOD, 0.5, "films", "others", 0.2, MapHits(5, 9, 4, 2), {'A "quoted" \\ name': MapHits(1, 2, 1, 0)})


@pytest.mark.parametrize(
    ("text", "method"),
    [
        ("GradCAM@last", HeatMethod()),
        ("HiResCAM@blocks.4:224:contrastive", METHOD),
        ("LayerCAM@layer3:contrastive", HeatMethod("LayerCAM", ("layer3",), contrastive=True)),
        ("Occlusion@last:160", HeatMethod("Occlusion", size=160)),
        ("HiResCAM@blocks.2+blocks.4:192", HeatMethod("HiResCAM", ("blocks.2", "blocks.4"), 192)),
    ],
)
def test_a_method_is_written_as_it_is_read(text: str, method: HeatMethod) -> None:
    assert HeatMethod.parse(text) == method
    assert str(method) == text


@pytest.mark.parametrize(
    "text", ["", "GradCAM", "MagicCAM@last", "GradCAM@last:3", "GradCAM@last:x", "GradCAM@a b", "GradCAM@a+"]
)
def test_what_names_no_method_is_refused_with_those_there_are(text: str) -> None:
    with pytest.raises(ValueError, match=r"Write METHOD@LAYER.*HiResCAM"):
        HeatMethod.parse(text)


def test_a_file_says_what_was_written(tmp_path: Path) -> None:
    path = tmp_path / "model.maps.toml"
    path.write_text(map_card_text(CARD), encoding="utf-8")
    assert map_card(path) == CARD


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        (map_card_text(CARD).replace('chosen = "films"', "chosen = 1"), "not a text"),
        (map_card_text(CARD).replace("HiResCAM", "MagicCAM"), "'MagicCAM"),
        (map_card_text(CARD).replace("found = 5", "found = 10"), "more films"),
        (map_card_text(CARD).replace("both = 2", "both = 5"), "more films"),
        (map_card_text(CARD).replace("both = 0", "both = -1"), "more films"),
        (map_card_text(CARD).replace("maximum = 0.5", "maximum = 0.0"), "not above zero"),
        (map_card_text(CARD) + "[other]\n", "unknown key"),
    ],
)
def test_a_file_that_cannot_be_right_is_refused(tmp_path: Path, wrong: str, why: str, wording: Wording) -> None:
    path = tmp_path / "model.maps.toml"
    path.write_text(wrong, encoding="utf-8")
    with pytest.raises(WrongTable, match=why) as caught:
        map_card(path)
    wording(caught.value)


def test_a_card_brings_its_maps_and_their_scale(tmp_path: Path, wording: Wording) -> None:
    (tmp_path / "model.maps.toml").write_text(map_card_text(CARD), encoding="utf-8")
    made = classifier_card(str(write_model(tmp_path, "test_resnet", maps="model.maps.toml", heat_maximum=3.0)))
    assert made.maps == CARD
    assert (made.heat_method, made.heat_maximum) == (METHOD, 0.5)
    (tmp_path / "model.maps.toml").unlink()
    with pytest.raises(UnusableModel) as caught:
        classifier_card(str(tmp_path / "own.toml"))
    wording(caught.value, "model.maps")
