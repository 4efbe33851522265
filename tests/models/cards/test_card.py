"""Registry files: what is right is read, what is wrong gets a sentence that names the file."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from explorer.core import findings
from explorer.core.finding_relations import FindingRelation
from explorer.reading.finding_list import finding_rows
from explorer.scoring.card_facts import model_manifest, scoring_classifier
from models.cards import classifier_card as cards
from models.cards.card import UnsureBand
from models.cards.classifier_card import UnusableModel
from models.cards.registry import registered_names, registry_table
from tests.support.model_builders import FINDINGS, write_model
from tests.support.wording import Wording, line_with

POINT = {
    "threshold": 0.4,
    "rule": "Youden",
    "sensitivity": 0.8,
    "specificity": 0.7,
    "positives": 30,
    "negatives": 300,
}


@pytest.mark.parametrize("name", registered_names(*cards.CARD_KINDS))
def test_registered_cards_are_sound(name: str) -> None:
    card = cards.classifier_card(name)
    assert card.name == name
    assert card.training, "in-sample centers must be known"
    for finding, point in card.operating_points.items():
        assert 0 < point.threshold < 1, finding
        assert point.positives >= 10 or card.download, finding  # what is downloaded says what its makers published
    assert card.sha256 or card.download
    if card.download is None:
        assert set(card.findings) <= set(findings.FINDINGS)


def test_a_card_is_what_its_file_says_now_and_nobody_elses_to_change(tmp_path: Path) -> None:
    path = write_model(tmp_path, "resnet18", title="One")
    registry_table(str(path))[1]["title"] = "Mine"
    assert cards.classifier_card(str(path)).title == "One"
    path.write_text(path.read_text(encoding="utf-8").replace('"One"', '"Two"'), encoding="utf-8")
    assert cards.classifier_card(str(path)).title == "Two"


def test_a_finding_may_have_any_name_and_an_empty_one_is_dropped(tmp_path: Path) -> None:
    path = write_model(tmp_path, "resnet18", findings=["Lung Lesion", "", "COVID-19", "ILD"])
    card = cards.classifier_card(str(path))
    assert card.findings == ("Lung Lesion", "COVID-19", "ILD")
    assert card.outputs == ("Lung Lesion", "", "COVID-19", "ILD")
    assert not card.operating_points


def test_relations_of_findings_are_read_and_the_same_one_takes_the_other_name(tmp_path: Path, wording: Wording) -> None:
    relations = {
        "Lung Opacity": {"broader_than": ["Consolidation", "Edema"], "related_to": "Mass"},
        "Derrame": {"same_as": "Pleural Effusion"},
    }
    findings = ["Lung Opacity", "", "Derrame"]
    point = {"Pleural Effusion": {"threshold": 0.3, "rule": "of its makers"}}
    path = write_model(tmp_path, "resnet18", findings=findings, relations=relations, operating_points=point)
    card = cards.classifier_card(str(path))
    assert card.findings == ("Lung Opacity", "Pleural Effusion") and card.outputs == (
        "Lung Opacity",
        "",
        "Pleural Effusion",
    )
    assert [(each.finding, each.relation, each.other) for each in card.relations] == [
        ("Lung Opacity", "broader than", "Consolidation"),
        ("Lung Opacity", "broader than", "Edema"),
        ("Lung Opacity", "related to", "Mass"),
    ]
    said = scoring_classifier(card)
    assert said.relations == tuple(FindingRelation(each.finding, each.relation, each.other) for each in card.relations)
    assert model_manifest(said, ["A"], 1, 0).relations == said.relations
    (row,) = [row for row in finding_rows(card, np.array([0.5, 0.5], np.float32)) if row.finding == "Lung Opacity"]
    wording(line_with(row.relations, "broader", "Consolidation", "Edema"))


def test_an_operating_point_may_leave_out_what_it_gave(tmp_path: Path) -> None:
    plain = {"threshold": 0.3, "rule": "of its makers"}
    card = cards.classifier_card(str(write_model(tmp_path, "resnet18", operating_points={"Mass": plain})))
    assert not card.operating_points["Mass"].counted
    half = write_model(tmp_path, "resnet18", operating_points={"Mass": plain | {"sensitivity": 0.8}})
    with pytest.raises(UnusableModel, match=r"operating_points\.Mass is incomplete"):
        cards.classifier_card(str(half))


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"sizze": 64}, "unknown key 'sizze'"),
        ({"relations": {"Gout": {"related_to": "Mass"}}}, "relations names 'Gout'"),
        ({"relations": {"Gout": {"same_as": "Mass"}}}, "relations names 'Gout'"),
        ({"relations": {"Mass": {"same_as": "Nodule"}}}, "repeats a name"),
        ({"relations": {"Mass": {"related_to": "Mass"}}}, "relates one to itself"),
        ({"relations": {"Mass": {"wider_than": "Nodule"}}}, "same_as, broader_than"),
        ({"relations": {"Mass": {"related_to": ""}}}, "quoted text, or several"),
        ({"weights": None}, "'weights' missing"),
        ({"sha256": None}, "'sha256' is missing"),
        ({"findings": ["", ""]}, "findings is empty"),
        ({"arguments": {"checkpoint_path": "/x"}}, "arguments names 'checkpoint_path'"),
        ({"arguments": {"pretrained": 1}}, "arguments names 'pretrained'"),
        ({"arguments": {"depths": {"a": 1}}}, "arguments.depths"),
        ({"size": "64"}, "whole number"),
        ({"size": True}, "not"),
        ({"size": 4}, "size is 4"),
        ({"in_chans": 2, "mean": [0, 0], "std": [1, 1]}, "in_chans is 2"),
        ({"mean": [0.5, 0.5]}, "mean is invalid"),
        ({"std": [0.0]}, "std is not positive"),
        ({"findings": ["Mass", "Mass"]}, "repeats a name"),
        ({"views": ["frontal"]}, "views is invalid"),
        ({"sha256": "abc"}, "sha256 is invalid"),
        ({"resize": "crop"}, "resize is 'crop'"),
        ({"kind": "oracle"}, "kind is 'oracle'"),
        ({"heat_maximum": -1.0}, "heat_maximum is -1.0"),
        ({"operating_points": {"Goiter": POINT}}, "operating_points names 'Goiter'"),
        ({"operating_points": {"Mass": POINT | {"cut": 1}}}, "unknown key 'cut'"),
        ({"band": {"Mass": {"low": 0.2, "high": 0.6}}}, "band.Mass does not include the threshold"),
        (
            {"operating_points": {"Mass": POINT}, "band": {"Mass": {"low": 0.5, "high": 0.6}}},
            "band.Mass does not include the threshold",
        ),
        ({"band": {"Mass": {"low": 0.2}}}, "missing in band.Mass"),
        ({"operating_points": {"Mass": POINT | {"sensitivity": 80}}}, "operating_points.Mass"),
        ({"operating_points": {"Mass": POINT | {"positives": -1}}}, "operating_points.Mass"),
        ({"platt": {"Mass": {"slope": 1.0}}}, "missing in platt.Mass"),
        ({"operating_points": {"Mass": POINT | {"threshold": math.nan}}}, "Mass is nan"),
        ({"operating_points": {"Mass": POINT | {"threshold": -math.inf}}}, "Mass is -inf"),
        ({"operating_points": {"Mass": POINT | {"threshold": -5}}}, "Mass.threshold is -5"),
        ({"operating_points": {"Mass": POINT | {"threshold": 1.5}}}, "Mass.threshold is 1.5"),
        (
            {"operating_points": {"Mass": POINT | {"threshold": 10**400}}},
            "Mass is too large",
        ),
        ({"operating_points": {"Mass": POINT}, "band": {"Mass": {"low": -5, "high": 0.6}}}, "band.Mass.low is -5"),
        ({"operating_points": {"Mass": POINT}, "band": {"Mass": {"low": 0.1, "high": math.inf}}}, "high in band.Mass"),
        ({"mean": [math.nan]}, "mean contains nan"),
        ({"std": [math.inf]}, "std contains inf"),
        ({"heat_maximum": math.nan}, "heat_maximum"),
        ({"platt": {"Mass": {"slope": math.nan, "intercept": 0.0, "prevalence": 0.1}}}, "slope in platt.Mass"),
        ({"platt": {"Mass": {"slope": 1.0, "intercept": 0.0, "prevalence": 7}}}, "platt.Mass.prevalence is 7"),
        ({"arguments": {"drop_rate": math.nan}}, "arguments.drop_rate"),
        ({"training": [{"center": "NIH"}]}, "missing in training"),
        ({"warnings": {"Goiter": "no"}}, "warnings names 'Goiter'"),
        ({"study": "median"}, "study is 'median'"),
    ],
    ids=lambda value: None if isinstance(value, dict) else value,
)
def test_a_wrong_card_says_what_is_wrong(
    tmp_path: Path, changes: dict[str, object], words: str, wording: Wording
) -> None:
    path = write_model(tmp_path, "test_resnet", **changes)
    with pytest.raises(UnusableModel) as caught:
        cards.classifier_card(str(path))
    assert words in caught.value.title
    wording(caught.value.title)
    assert "own.toml" in caught.value.title
    assert caught.value.detail


def test_a_right_card_is_read_whole(tmp_path: Path) -> None:
    band = {"Mass": {"low": 0.2, "high": 0.6}}
    path = write_model(tmp_path, "test_resnet", operating_points={"Mass": POINT}, band=band, heat_maximum=2)
    card = cards.classifier_card(str(path))
    assert card.findings == FINDINGS
    assert card.operating_points["Mass"].threshold == 0.4
    assert card.bands == {"Mass": UnsureBand(0.2, 0.6)}
    assert card.heat_maximum == 2.0
    assert card.folder == tmp_path


def test_unknown_names_and_broken_files_get_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(UnusableModel, match="nih-mini"):
        cards.classifier_card("no-such-model")
    broken = tmp_path / "broken.toml"
    broken.write_text("name = ")
    with pytest.raises(UnusableModel, match="not a TOML file"):
        cards.classifier_card(str(broken))
