"""Several classifiers as one: means of logits and maps against its members by hand, and cards that cannot be right."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from scipy.special import expit, logit

from models import load
from models.cards import classifier_card as cards
from models.cards.classifier_card import UnusableModel
from models.cards.heat_method import HeatMethod
from models.cards.routing import comes_from_hub
from models.classifier.ensemble import Ensemble
from tests.support.model_builders import FINDINGS, random_film, write_card, write_model
from tests.support.wording import Wording

FILMS = [random_film(200, 150, seed=1), random_film(90, 170, seed=2), random_film(64, 64, seed=3)]
SEEN = {"center": "NIH", "films": 10, "patients": 5, "source": "some"}


def member(folder: Path, name: str, **changes: object) -> Path:
    (folder / name).mkdir()
    return write_model(folder / name, "test_resnet", name=name, **changes)  # type: ignore[arg-type]


def ensemble_of(folder: Path, members: dict[str, float], **changes: object) -> Path:
    values: dict[str, object] = {
        "kind": "ensemble",
        "name": "both",
        "title": "Two models for tests",
        "members": members,
        "licence": "Apache-2.0",
        "citation": "none",
    } | changes
    return write_card(folder / "both.toml", values)


@pytest.fixture
def both(tmp_path: Path) -> Path:
    """A coarse member that weighs 1 and a finer one that weighs 3."""
    member(tmp_path, "coarse", size=64, seed=1, views=["PA", "AP"], training=[])
    member(tmp_path, "fine", size=96, seed=2, views=["PA"], training=[])
    return ensemble_of(tmp_path, {"coarse/own.toml": 1, "fine/own.toml": 3.0})


def test_scores_are_the_sigmoid_of_the_weighted_mean_logit(both: Path) -> None:
    ours = load.classifier(str(both), "cpu")
    assert isinstance(ours, Ensemble)
    coarse, fine = ours.members
    logits = [logit(each.score(FILMS).astype(np.float64)) for each in (coarse, fine)]
    expected = expit(0.25 * logits[0] + 0.75 * logits[1])
    np.testing.assert_allclose(ours.score(FILMS), expected, atol=1e-6)
    assert np.abs(ours.score(FILMS) - coarse.score(FILMS)).max() > 1e-3, "equal members would equal anything"
    scores, features = ours.score_boxed([ours.boxed(film) for film in FILMS])
    np.testing.assert_array_equal(scores, ours.score(FILMS))
    np.testing.assert_allclose(features, coarse.features(FILMS), atol=1e-6)
    np.testing.assert_allclose(ours.features(FILMS), coarse.features(FILMS), atol=1e-6)
    np.testing.assert_allclose(ours.read(FILMS[1])[0], ours.score(FILMS)[1], atol=1e-6)
    assert ours.score([]).shape == (0, len(FINDINGS))


def test_a_logit_that_no_sigmoid_can_hold_counts_in_full(both: Path) -> None:
    ours = load.classifier(str(both), "cpu")
    assert isinstance(ours, Ensemble)
    for each, bias in zip(ours.members, (60.0, -24.0), strict=True):
        each.backbone.network.get_classifier().bias.fill_(bias)
    assert ours.score(FILMS).max() < 0.2, "in single precision sigmoid(60) is 1, and the logit of that infinite"


def test_maps_are_the_weighted_mean_of_the_members_maps(both: Path, wording: Wording) -> None:
    ours = load.classifier(str(both), "cpu")
    assert isinstance(ours, Ensemble)
    method = HeatMethod.parse("GradCAM@last:96")  # both on one grid
    heat = ours.heat(FILMS[0], ["Nodule", "Mass"], method)
    parts = [each.heat(FILMS[0], ["Nodule", "Mass"], method).maps for each in ours.members]
    np.testing.assert_allclose(heat.maps, 0.25 * parts[0] + 0.75 * parts[1], atol=1e-6)
    assert heat.maps.max() > 0
    with pytest.raises(ValueError) as caught:
        ours.heat(FILMS[0], ["Hernia"])
    wording(caught.value, "'Hernia'")


def test_maps_of_members_with_different_inputs_lie_on_the_finer_grid(both: Path) -> None:
    ours = load.classifier(str(both), "cpu")
    assert isinstance(ours, Ensemble)
    grids = [each.heat(FILMS[0], ["Mass"]).maps.shape[-1] for each in ours.members]
    assert grids[0] < grids[1]
    assert ours.heat(FILMS[0], ["Mass"]).maps.shape == (1, grids[1], grids[1])
    explained = ours.explain(FILMS[0])
    assert explained.maps.shape == (len(FINDINGS), grids[1], grids[1])
    np.testing.assert_allclose(explained.scores, ours.score(FILMS[:1])[0], atol=1e-6)
    assert explained.on_film().shape[1:] == FILMS[0].pixels.shape


def test_its_card_is_of_all_its_members(tmp_path: Path) -> None:
    other = SEEN | {"center": "elsewhere"}
    member(tmp_path, "one", views=["PA", "AP"])
    member(tmp_path, "two", views=["AP"])
    for name, sources in (("one", [SEEN]), ("two", [SEEN, other])):
        path = tmp_path / name / "own.toml"
        rows = "".join(
            "[[training]]\n" + "".join(f"{key} = {value!r}\n" for key, value in row.items()) for row in sources
        )
        path.write_text(path.read_text().replace("training = []\n", "") + rows)
    card = cards.classifier_card(str(ensemble_of(tmp_path, {"one/own.toml": 1, "two/own.toml": 1})))
    assert card.views == ("AP",)
    assert [each.center for each in card.training] == ["NIH", "elsewhere"]
    assert card.findings == FINDINGS
    assert [Path(each.name).parent.name for each in card.members] == ["one", "two"]


@pytest.mark.parametrize(
    ("first", "second", "own", "rule"),
    [
        (None, None, None, "maximum"),
        ("mean", "mean", None, "mean"),
        ("mean", None, None, "maximum"),
        ("mean", "maximum", "mean", "mean"),
    ],
)
def test_its_rule_for_studies_is_its_members_if_they_agree(
    tmp_path: Path, first: str | None, second: str | None, own: str | None, rule: str
) -> None:
    member(tmp_path, "one", study=first)
    member(tmp_path, "two", study=second)
    path = ensemble_of(tmp_path, {"one/own.toml": 1, "two/own.toml": 1}, study=own)
    assert cards.classifier_card(str(path)).study == rule


def test_its_hash_changes_with_what_changes_a_score(tmp_path: Path) -> None:
    member(tmp_path, "one", seed=1)
    member(tmp_path, "two", seed=2)
    member(tmp_path, "larger", seed=2, size=96)

    def sha256(**members: float) -> str:
        return cards.classifier_card(
            str(ensemble_of(tmp_path, {f"{name}/own.toml": at for name, at in members.items()}))
        ).sha256

    found = [sha256(one=1, two=1), sha256(one=1, two=2), sha256(two=1, one=1), sha256(one=1, larger=1)]
    assert len(set(found)) == 4
    assert sha256(one=1.0, two=1) == found[0]


@pytest.mark.parametrize(
    ("members", "words"),
    [
        ({"one/own.toml": 1}, "members is invalid"),
        ({"one/own.toml": 1, "two/own.toml": 0}, "members is invalid"),
        ({"one/own.toml": 1, "two/own.toml": "half"}, "members is invalid"),
        ({"one/own.toml": 1, "both.toml": 1}, "is an ensemble itself"),
        ({"one/own.toml": 1, "others/own.toml": 1}, "not look for"),
        ({"one/own.toml": 1, "phantom": 1}, "not look for"),
        ({"one/own.toml": 1, "gone": 1}, "model 'gone'"),
        ({"one/own.toml": 1, "nih-mini-vlm": 1}, "kind is 'vlm'"),
    ],
    ids=lambda value: value if isinstance(value, str) else None,
)
def test_a_wrong_ensemble_says_what_is_wrong(
    tmp_path: Path, members: dict[str, float], words: str, wording: Wording
) -> None:
    for name in ("one", "two"):
        member(tmp_path, name)
    member(tmp_path, "others", findings=[*FINDINGS[::-1]])
    with pytest.raises(UnusableModel) as caught:
        cards.classifier_card(str(ensemble_of(tmp_path, members)))
    assert words in caught.value.title
    wording(caught.value.title)
    assert caught.value.detail


def test_members_are_loaded_once(tmp_path: Path, both: Path) -> None:
    ours = load.classifier(str(both), "cpu")
    assert isinstance(ours, Ensemble)
    assert load.classifier(str(both), "cpu") is ours
    assert load.classifier(str(tmp_path / "fine" / "own.toml"), "cpu") is ours.members[1]


def test_what_needs_one_network_refuses_an_ensemble(both: Path, wording: Wording) -> None:
    with pytest.raises(UnusableModel) as caught:
        load.network(str(both), "cpu")
    wording(caught.value, "ensemble")


def test_it_is_downloaded_where_a_member_is(tmp_path: Path) -> None:
    member(tmp_path, "here")
    member(tmp_path, "there", weights="hf-hub:somebody/something")
    assert not comes_from_hub(str(tmp_path / "here" / "own.toml"))
    assert comes_from_hub(str(ensemble_of(tmp_path, {"here/own.toml": 1, "there/own.toml": 1})))
