"""What the server says to the calls of Simulate's script: films, masks, twins, and what the models say of them."""

from __future__ import annotations

import base64
import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from explorer.asking.asker import Asker
from explorer.reading.reader import Reader, ReadingModel
from explorer.simulator import GLOBAL, Request, render
from explorer.store.store import Store
from explorer.ui.simulate.film_requests import MAX_FINDINGS
from explorer.ui.simulate.handlers import SimulateHandlers
from explorer.ui.simulate.scores import PhantomModels
from models import load
from models.anatomy.places import PLACES
from tests.support.small_cohort import store_of
from tests.support.small_phantom import write_phantom
from tests.support.wording import Wording
from tests.ui.simulate_room import sha256_of, write_classifier, write_text_model

EFFUSION = {"finding": "Pleural Effusion", "side": "left", "severity": 0.7}
ORDER = {"center": "A", "seed": 300_041, "requests": [EFFUSION]}


class Loaded:
    """A classifier that is there."""

    loading = False

    def __init__(self, name: str) -> None:
        self._name = name

    def __call__(self) -> ReadingModel:
        return load.classifier(self._name, "cpu")


def desk_of(classifier: str, text_model: str, store: Store) -> SimulateHandlers:
    judges = PhantomModels(Reader(Loaded(classifier)), Asker(lambda: load.vlm(text_model, "cpu")), store)
    return SimulateHandlers(judges, store)


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    folder = tmp_path_factory.mktemp("models")
    return write_classifier(folder), write_text_model(folder)


@pytest.fixture(scope="module")
def desk(models: tuple[Path, Path], tmp_path_factory: pytest.TempPathFactory) -> SimulateHandlers:
    """Both phantom models, and a simulated cohort that the classifier has scored."""
    place = tmp_path_factory.mktemp("cohorts")
    folder = write_phantom(place, sha256=sha256_of(models[0].with_suffix(".safetensors")))
    return desk_of(str(models[0]), str(models[1]), store_of(folder))


@pytest.fixture
def without_models() -> SimulateHandlers:
    """The page as it is started without phantom models: the shipped ones stand in their place."""
    return desk_of("nih-mini", "nih-mini-vlm", Store(lambda: ()))


def pixels_of(film: dict[str, Any]) -> np.ndarray:
    """Levels (h, w) of a packed film."""
    png = base64.b64decode(film["image"].partition(",")[2])
    colors = np.asarray(Image.open(io.BytesIO(png))).astype(np.uint32)
    levels: np.ndarray = colors[..., 0] * 256 + colors[..., 1]
    return levels


def mask_of(mask: dict[str, Any]) -> np.ndarray:
    height, width = mask["size"]
    bits = np.unpackbits(np.frombuffer(base64.b64decode(mask["bits"]), np.uint8))
    return bits[: height * width].reshape(height, width).astype(bool)


def test_the_film_is_the_phantoms_with_its_exact_masks(without_models: SimulateHandlers) -> None:
    answer = without_models.simulated_film(ORDER)
    pixels, masks = render(300_041, [Request("Pleural Effusion", "left", 0.7)], "A", 512)
    assert answer["stage"] == "film" and answer["film"]["simulated"]
    assert answer["address"] == "phantom://v1/A/300041?Pleural+Effusion=left,0.70"
    assert np.array_equal(pixels_of(answer["film"]), np.rint(pixels * 65535).astype(np.uint32))
    (mask,) = answer["masks"]
    assert mask["finding"] == "Pleural Effusion" and np.array_equal(mask_of(mask), masks["Pleural Effusion"])
    assert mask["share"] == pytest.approx(masks["Pleural Effusion"].mean()) and not mask["global"]


def test_what_is_left_open_is_drawn_from_the_seed_and_said(without_models: SimulateHandlers) -> None:
    order = ORDER | {"requests": [{"finding": "Mass", "side": None, "severity": None}, {"finding": "Kyphosis"}]}
    answer = without_models.simulated_film(order)
    mass = next(each for each in answer["requests"] if each["finding"] == "Mass")
    assert mass["side"] in ("right", "left") and 0 <= mass["severity"] <= 1
    assert without_models.simulated_film(order | {"requests": answer["requests"]})["address"] == answer["address"]
    assert {each["finding"]: each["global"] for each in answer["masks"]} == {"Mass": False, "Kyphosis": True}
    assert "Kyphosis" in GLOBAL


@pytest.mark.parametrize(("seed", "trained"), [(7, False), (100_007, False), (200_000, True), (300_041, False)])
def test_a_patient_of_the_training_films_is_marked(without_models: SimulateHandlers, seed: int, trained: bool) -> None:
    assert without_models.simulated_film(ORDER | {"seed": seed})["patient"]["trained"] is trained


def test_the_twin_differs_where_the_finding_is(without_models: SimulateHandlers) -> None:
    film, twin = without_models.simulated_film(ORDER), without_models.simulated_twin(ORDER)
    assert twin["address"] == "phantom://v1/A/300041" and twin["masks"] == []
    assert twin["patient"] == film["patient"]
    change = np.abs(pixels_of(film["film"]).astype(float) - pixels_of(twin["film"]))
    inside = mask_of(film["masks"][0])
    assert change[inside].mean() > 20 * change[~inside].mean() > 0 or change[~inside].max() == 0


def test_the_preview_is_the_same_film_at_low_size(without_models: SimulateHandlers) -> None:
    preview = without_models.simulated_preview(ORDER)
    small, large = pixels_of(preview), pixels_of(without_models.simulated_film(ORDER)["film"])
    assert preview["stage"] == "preview" and small.shape == (224, 224)
    coarse = [
        np.asarray(Image.fromarray(each.astype(np.float32)).resize((56, 56), Image.Resampling.BOX))
        for each in (small, large)
    ]
    assert np.corrcoef(*(each.ravel() for each in coarse))[0, 1] > 0.98
    assert preview["masks"][0]["size"] == [224, 224]


@pytest.mark.parametrize(
    "order",
    [
        None,
        5,
        [],
        {},
        ORDER | {"center": "C"},
        ORDER | {"seed": "41"},
        ORDER | {"seed": True},
        ORDER | {"seed": -1},
        ORDER | {"seed": 2**40},
        ORDER | {"requests": "Mass"},
        ORDER | {"requests": [5]},
        ORDER | {"requests": [{"finding": "Cough"}]},
        ORDER | {"requests": [EFFUSION, EFFUSION]},
        ORDER | {"requests": [EFFUSION | {"side": "up"}]},
        ORDER | {"requests": [EFFUSION | {"severity": 2}]},
        ORDER | {"requests": [EFFUSION | {"severity": float("nan")}]},
        ORDER | {"requests": [EFFUSION] * (MAX_FINDINGS + 1)},
    ],
)
def test_what_cannot_be_simulated_is_refused_in_words(without_models: SimulateHandlers, order: object) -> None:
    calls: tuple[Callable[[object], dict[str, Any]], ...] = (
        without_models.simulated_film,
        without_models.simulated_twin,
        without_models.simulated_preview,
        without_models.simulated_classifier,
        without_models.simulated_text_model,
    )
    for call in calls:
        answer = call(order)
        assert answer["stage"] == "wrong" and answer["title"] and answer["detail"]


@pytest.mark.slow
def test_models_of_patients_films_are_not_asked(without_models: SimulateHandlers, wording: Wording) -> None:
    for answer in (without_models.simulated_classifier(ORDER), without_models.simulated_text_model(ORDER)):
        assert answer["stage"] == "unscored"
        wording(answer["title"])
        assert "nih-mini" in answer["detail"]


@pytest.mark.slow
def test_both_models_say_something_of_the_film_and_of_its_twin(desk: SimulateHandlers) -> None:
    order = ORDER | {"requests": [EFFUSION, {"finding": "Scoliosis", "side": "left", "severity": 0.9}]}
    said, told = desk.simulated_classifier(order), desk.simulated_text_model(order)
    (row,) = said["rows"]
    assert said["unknown"] == ["Scoliosis"] and not said["refused"]
    assert row["outcome"] == ("hit" if row["score"] >= 0.5 else "miss")
    assert row["twin"]["outcome"] == ("false alarm" if row["twin"]["score"] >= 0.5 else "correct rejection")
    assert row["score"] != row["twin"]["score"]
    assert all(each["score"] >= 0.5 and each["finding"] != "Pleural Effusion" for each in said["false_alarms"])
    assert [each["finding"] for each in told["rows"]] == ["Pleural Effusion", "Scoliosis"]
    assert {each["outcome"] for each in told["rows"]} <= {"hit", "miss"}


def test_the_heat_is_measured_against_the_mask(desk: SimulateHandlers) -> None:
    said, film = desk.simulated_classifier(ORDER), desk.simulated_film(ORDER)
    heat = said["heat"]
    inside = heat["inside"]["Pleural Effusion"]
    assert inside["mask"] == film["masks"][0]["share"]
    maps = np.frombuffer(base64.b64decode(heat["maps"]), "<f4").reshape(1, heat["grid"], heat["grid"])
    assert (inside["heat"] is None) == (maps.max() == 0)
    assert inside["heat"] is None or 0 <= inside["heat"] <= 1
    assert len(base64.b64decode(heat["twin"])) == maps.nbytes
    assert set(heat["places"]) == {"film", "twin"}
    (place,) = heat["places"]["film"]
    assert place["finding"] == "Pleural Effusion" and place["place"] in ("", *PLACES)


@pytest.mark.parametrize("center", ["A", "B"])
def test_misses_are_counted_at_the_films_own_center(desk: SimulateHandlers, center: str) -> None:
    missed = desk.simulated_classifier(ORDER | {"center": center})["missed"]
    counted = missed["findings"]["Pleural Effusion"]
    assert (missed["cohort"], missed["center"], missed["origin"]) == ("phantom", center, None)
    assert counted["n"] == 1 and counted["hits"] in (0, 1) and counted["low"] < counted["high"]


def test_other_weights_of_the_same_name_have_no_misses(models: tuple[Path, Path], tmp_path: Path) -> None:
    store = store_of(write_phantom(tmp_path, sha256="0" * 64))
    assert desk_of(str(models[0]), str(models[1]), store).simulated_classifier(ORDER)["missed"] is None


def test_a_normal_film_is_its_own_twin(desk: SimulateHandlers) -> None:
    order = ORDER | {"requests": []}
    said = desk.simulated_classifier(order)
    assert said["rows"] == [] and said["heat"] is None
    assert all(each["twin"] for each in said["false_alarms"])
    assert desk.simulated_text_model(order)["rows"] == []
