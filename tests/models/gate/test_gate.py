"""The gate on real films, on things that are none, and on cards that say less."""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from PIL import Image, ImageDraw
from sklearn.datasets import load_sample_image

from explorer.reading.samples import sample_bytes
from models import load
from models.cards import classifier_card as cards
from models.cards.classifier_card import Card, UnusableModel
from models.classifier.classifier import Classifier
from models.films.amend import Remedy, apply_remedy
from models.gate.checks import check_body_part
from models.gate.heart_side import MIRRORED_CAUTION
from models.gate.judgment import Verdict, judge
from models.radiograph import Radiograph, read_radiograph
from tests.support.model_builders import write_model
from tests.support.wording import Wording

UNDONE: dict[Remedy, Remedy] = {
    "invert": "invert",
    "turn left": "turn right",
    "turn right": "turn left",
    "turn around": "turn around",
}


@pytest.fixture(scope="module")
def model() -> Classifier:
    return load.classifier("nih-mini", "cpu")


@pytest.fixture(scope="module")
def chest() -> Radiograph:
    return read_radiograph(sample_bytes("masses"))


@pytest.fixture(scope="module")
def leg() -> Radiograph:
    return read_radiograph(sample_bytes("leg"))


@pytest.fixture(scope="module")
def bare(tmp_path_factory: pytest.TempPathFactory) -> Classifier:
    """A model whose card names no gate statistics."""
    return load.classifier(str(write_model(tmp_path_factory.mktemp("bare"), "test_resnet")), "cpu")


class Silent:
    """A model that must not be asked."""

    def __init__(self, card: Card) -> None:
        self.card = card

    def features(self, radiographs: Sequence[Radiograph]) -> NDArray[np.float32]:
        raise AssertionError("the features were at hand")


def as_png(film: Radiograph) -> Radiograph:
    """The film through an 8-bit PNG: its header is gone."""
    stream = BytesIO()
    Image.fromarray(np.rint(film.pixels * 255).astype(np.uint8)).save(stream, "PNG")
    return read_radiograph(stream.getvalue())


def page() -> NDArray[np.float32]:
    image = Image.new("L", (850, 1100), 255)
    draw = ImageDraw.Draw(image)
    for row in range(60, 1040, 24):
        draw.text((60, row), "No acute finding. Heart and lungs are stable since the last film. " * 2, fill=0)
    return np.asarray(image, dtype=np.float32) / 255


def grey_photograph(name: str) -> NDArray[np.float32]:
    return load_sample_image(name).mean(2).astype(np.float32) / 255


def noise() -> NDArray[np.float32]:
    return np.random.default_rng(0).random((600, 500), dtype=np.float32)


def nearly_blank() -> NDArray[np.float32]:
    return 0.5 + 0.01 * noise()


def gradient() -> NDArray[np.float32]:
    return np.tile(np.linspace(0, 1, 400, dtype=np.float32), (500, 1))


def assert_refused(verdict: Verdict, check: str) -> None:
    assert (verdict.readable, verdict.details.check) == (False, check)
    assert verdict.reason.endswith(".")
    assert verdict.details.advice


def test_a_chest_film_is_read(model: Classifier, chest: Radiograph) -> None:
    verdict = judge(chest, model)
    assert verdict.readable
    assert verdict.reason == verdict.details.advice == ""
    assert verdict.details.check is verdict.details.remedy is None
    assert 0.5 < verdict.details.figures["strangeness"] < 1.5 < verdict.details.figures["strangeness cut"]


def test_features_at_hand_are_not_made_again(model: Classifier, chest: Radiograph) -> None:
    with_features = judge(chest, Silent(model.card), model.features([chest])[0])
    assert with_features.details.figures == judge(chest, model).details.figures


@pytest.mark.parametrize("done", UNDONE)
def test_a_film_held_wrong_gets_the_remedy_that_helps(model: Classifier, chest: Radiograph, done: Remedy) -> None:
    wrong = apply_remedy(chest, done)
    verdict = judge(wrong, model, model.features([wrong])[0])
    assert_refused(verdict, "inverted" if done == "invert" else "turned")
    assert verdict.details.remedy == UNDONE[done]
    assert judge(apply_remedy(wrong, UNDONE[done]), model).readable


def test_a_mirrored_film_is_read_with_a_caution_and_can_be_put_right(model: Classifier, chest: Radiograph) -> None:
    mirrored = apply_remedy(chest, "mirror")
    verdict = judge(mirrored, model)
    assert (verdict.readable, verdict.cautions, verdict.details.remedy) == (True, (MIRRORED_CAUTION,), "mirror")
    found, cut = (verdict.details.figures[name] for name in ("heart side", "heart side cut"))
    assert found < cut < 0
    right = judge(apply_remedy(mirrored, "mirror"), model)
    assert (right.cautions, right.details.remedy) == ((), None)
    assert right.details.figures["heart side"] == pytest.approx(-found, rel=0.05)


def test_of_what_is_refused_or_may_be_no_chest_no_side_is_said(model: Classifier, bare: Classifier) -> None:
    for film, judged in ((Radiograph.from_pixels(page()), model), (Radiograph.from_pixels(gradient()), bare)):
        assert "heart side" not in judge(film, judged).details.figures


def test_two_faults_are_mended_one_after_the_other(model: Classifier, chest: Radiograph) -> None:
    film, remedies = apply_remedy(apply_remedy(chest, "turn left"), "invert"), []
    while remedy := judge(film, model).details.remedy:
        remedies.append(remedy)
        film = apply_remedy(film, remedy)
    assert remedies == ["invert", "turn right"]
    assert judge(film, model).readable


def test_a_leg_is_refused_by_its_header(model: Classifier, leg: Radiograph) -> None:
    verdict = judge(leg, Silent(model.card))
    assert_refused(verdict, "body part")
    assert "EXTREMITY" in verdict.reason


@pytest.mark.parametrize("done", [None, *UNDONE])
def test_a_leg_is_refused_by_its_looks(model: Classifier, leg: Radiograph, done: Remedy | None) -> None:
    film = as_png(leg)
    assert_refused(judge(apply_remedy(film, done) if done else film, model), "not a frontal chest film")


@pytest.mark.parametrize(
    ("said", "refused"),
    [
        ("CHEST", False),
        ("CHEST PA", False),
        ("THORAX", False),
        ("TORAX", False),
        ("RIBS", False),
        ("CHESTABDOMEN", False),
        (None, False),
        ("UNKNOWN", False),
        ("T-D3000", False),
        ("WHOLE BODY", False),
        ("HAND", True),
        ("PATELLA", True),
        ("SCAPULA", True),
        ("TSPINE", True),
        ("THORACIC_SPINE", True),
        ("ABDOMEN", True),
        ("SKULL", True),
    ],
)
def test_what_a_header_says(chest: Radiograph, said: str | None, refused: bool) -> None:
    assert (check_body_part(replace(chest, body_part=said)) is not None) == refused


@pytest.mark.parametrize(("said", "repeated"), [("KNEE", True), ("MUELLER HANS", False)])
def test_only_dicoms_own_terms_are_repeated(chest: Radiograph, said: str, repeated: bool) -> None:
    refusal = check_body_part(replace(chest, body_part=said))
    assert refusal is not None
    assert (said in refusal.reason) is repeated


@given(st.text(max_size=16))
def test_any_words_in_a_header_are_borne(said: str) -> None:
    film = Radiograph.from_pixels([[0.0, 1.0]], body_part=said)
    refusal = check_body_part(film)
    assert refusal is None or refusal.check == "body part"


def test_a_lateral_is_not_read_by_a_model_of_frontals(model: Classifier, chest: Radiograph, wording: Wording) -> None:
    verdict = judge(replace(chest, view="lateral"), Silent(model.card))
    assert_refused(verdict, "lateral")
    wording(verdict.reason, "lateral", "nih-mini", "PA and AP")
    wording(verdict.details.advice, "frontal", "anyway")
    reads_both = Silent(replace(model.card, views=("PA", "lateral"), gate=None))
    assert judge(replace(chest, view="lateral"), reads_both).readable


def test_another_view_than_the_models_is_refused_as_such(
    model: Classifier, chest: Radiograph, wording: Wording
) -> None:
    verdict = judge(replace(chest, view="AP"), Silent(replace(model.card, views=("PA", "unknown"))))
    assert_refused(verdict, "view")
    wording(verdict.reason, "AP", "PA")
    wording(verdict.details.advice)


def test_what_does_not_look_like_a_frontal_film_may_be_a_lateral_without_a_header(
    model: Classifier, wording: Wording
) -> None:
    verdict = judge(Radiograph.from_pixels(gradient()), model)
    assert_refused(verdict, "not a frontal chest film")
    wording(verdict.details.advice, "lateral")


def test_a_colored_photograph_is_refused(model: Classifier) -> None:
    stream = BytesIO()
    Image.fromarray(load_sample_image("china.jpg")).save(stream, "JPEG")
    assert_refused(judge(read_radiograph(stream.getvalue()), Silent(model.card)), "color")


@pytest.mark.parametrize(
    ("pixels", "check"),
    [
        (noise(), "noise"),
        (nearly_blank(), "blank"),
        (page(), "document"),
        (1 - page(), "document"),
        (gradient(), "not a frontal chest film"),
        (grey_photograph("china.jpg"), "not a frontal chest film"),
        (grey_photograph("flower.jpg"), "not a frontal chest film"),
    ],
    ids=["noise", "nearly blank", "page", "dark page", "gradient", "china", "flower"],
)
def test_what_is_no_film_is_refused(model: Classifier, pixels: NDArray[np.float32], check: str) -> None:
    assert_refused(judge(Radiograph.from_pixels(pixels), model), check)


@pytest.mark.parametrize("shape", [(32, 32), (32, 20000), (20000, 33), (2100, 40), (4000, 3000)])
def test_every_shape_can_be_judged(model: Classifier, shape: tuple[int, int]) -> None:
    ramp = np.add.outer(np.linspace(0, 0.5, shape[0]), np.linspace(0, 0.5, shape[1]))
    assert not judge(Radiograph.from_pixels(ramp), model).readable
    steps = Radiograph.from_pixels(np.where(ramp < 0.4, 0.1, 0.9))
    assert not judge(steps, model).readable


def test_a_card_without_statistics_gets_the_simple_checks(bare: Classifier, chest: Radiograph, leg: Radiograph) -> None:
    for film in (chest, apply_remedy(chest, "invert"), as_png(leg)):
        assert judge(film, Silent(bare.card)).readable
    assert_refused(judge(leg, bare), "body part")
    for pixels, check in ((noise(), "noise"), (nearly_blank(), "blank"), (page(), "document")):
        assert_refused(judge(Radiograph.from_pixels(pixels), bare), check)


@pytest.mark.parametrize("content", [None, b"", b"no safetensors file"], ids=["missing", "empty", "damaged"])
def test_statistics_that_cannot_be_read_are_named(tmp_path: Path, chest: Radiograph, content: bytes | None) -> None:
    if content is not None:
        (tmp_path / "own.gate").write_bytes(content)
    model = load.classifier(str(write_model(tmp_path, "test_resnet", gate="own.gate")), "cpu")
    with pytest.raises(UnusableModel, match=r"own\.gate"):
        judge(chest, model)


def test_statistics_of_another_model_are_refused(tmp_path: Path, chest: Radiograph) -> None:
    card = cards.classifier_card("nih-mini")
    shutil.copy(card.local_file(str(card.gate)), tmp_path / "other.gate")
    model = load.classifier(str(write_model(tmp_path, "test_resnet", gate="other.gate")), "cpu")
    with pytest.raises(UnusableModel, match="another model's"):
        judge(chest, model)


@pytest.mark.slow
@pytest.mark.shared
@pytest.mark.parametrize("done", [None, *UNDONE])
def test_films_of_a_center_no_one_trained_on(shared: Path, model: Classifier, done: Remedy | None) -> None:
    paths = sorted((shared / "data" / "hannover" / "images").glob("*.jpg"))[::6]
    films = [read_radiograph(path) for path in paths]
    remedies = Counter(judge(apply_remedy(film, done) if done else film, model).details.remedy for film in films)
    assert remedies[UNDONE[done] if done else None] >= 0.9 * len(films)


@pytest.mark.shared
def test_untouched_originals_are_read(shared: Path, model: Classifier) -> None:
    paths = sorted((shared / "data" / "nih_cxr14" / "original").glob("*.png"))
    assert [path.name for path in paths if not judge(read_radiograph(path), model).readable] == []
