"""Each model reads the films it was made for: patients' or simulated ones. What says which is the film's own mark."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from explorer.reading.samples import sample_bytes
from explorer.simulator import ABNORMAL, render
from explorer.simulator.film_png import simulated_png
from models import load
from models.cards import classifier_card as cards
from models.cards import registry
from models.cards.classifier_card import CARD_KINDS, Card, UnusableModel, classifier_card
from models.cards.registry import registered_names
from models.cards.vlm_card import vlm_card
from models.films.film import Provenance
from models.gate import simulated as simulated_check
from models.gate.film_looks import film_look, mirrored_look, thumbnail
from models.gate.judgment import judge
from models.gate.simulated import SIMULATED_CUT, simulated_looks
from models.gate.statistics import GaussianCloud
from models.radiograph import Radiograph, read_radiograph
from models.training.shipping.gate import LOOK_AXES, fit_cloud
from tests.support.model_builders import write_model
from tests.support.wording import Wording

SLOPE = np.linspace(0, 1, 128, dtype=np.float32)
FILM = np.outer(SLOPE, SLOPE[::-1])


@dataclass(frozen=True)
class Model:
    card: Card

    def features(self, radiographs: Sequence[Radiograph]) -> NDArray[np.float32]:
        raise AssertionError("not asked: there are no statistics")


def of(films: Provenance) -> Model:
    return Model(replace(cards.classifier_card("nih-mini"), name="some-model", films=films, gate=None))


@pytest.mark.parametrize(
    ("simulated", "films", "why"),
    [
        (False, "real", None),
        (True, "simulated", None),
        (True, "real", "simulated, and some-model"),
        (False, "simulated", "simulated, and some-model"),
    ],
)
def test_a_film_of_the_other_kind_is_refused_in_words(
    simulated: bool, films: Provenance, why: str | None, wording: Wording
) -> None:
    said = judge(Radiograph.from_pixels(FILM, simulated=simulated), of(films))
    assert said.readable is (why is None)
    if why is not None:
        assert why in said.reason
        wording(said.reason)
        assert said.details.check == "provenance"
        wording(said.details.advice, "Read it with")
        assert said.details.remedy is None


def test_whose_film_it_is_comes_before_all_else() -> None:
    film = Radiograph.from_pixels(FILM, simulated=True, body_part="LEG")
    assert judge(film, of("real")).details.check == "provenance"
    assert judge(film, of("simulated")).details.check == "body part"


@pytest.mark.parametrize("name", registered_names(*CARD_KINDS))
def test_a_card_that_says_nothing_is_for_real_films(name: str) -> None:
    said = classifier_card(name).films
    assert said == ("simulated" if name.startswith(("phantom", "lab-")) else "real")


@pytest.mark.parametrize("name", registered_names("vlm"))
def test_so_is_that_of_an_image_text_model(name: str) -> None:
    assert vlm_card(name).films == ("simulated" if name.startswith("phantom") else "real")


def test_a_card_may_say_simulated_and_nothing_else(tmp_path: Path) -> None:
    assert classifier_card(str(write_model(tmp_path, "test_resnet", films="simulated"))).films == "simulated"
    with pytest.raises(UnusableModel, match="films is 'drawn'"):
        classifier_card(str(write_model(tmp_path, "test_resnet", films="drawn")))


@pytest.fixture(scope="module")
def looks() -> GaussianCloud:
    """Those of 80 simulated films of both centers and their mirror images, as gate statistics have them."""
    films = [render(seed, [ABNORMAL[seed % 35]], "AB"[seed % 2], 128)[0] for seed in range(80)]  # type: ignore[arg-type]
    found = [film_look(thumbnail(film)) for film in films]
    return fit_cloud(np.stack([each.ravel() for film in found for each in (film, mirrored_look(film))]), LOOK_AXES)


@pytest.mark.slow
@pytest.mark.parametrize("center", ["A", "B"])
def test_a_simulated_film_without_its_mark_is_known_by_its_look(
    center: str, looks: GaussianCloud, monkeypatch: pytest.MonkeyPatch, wording: Wording
) -> None:
    model = load.classifier("nih-mini", "cpu")
    marked = read_radiograph(simulated_png(f"phantom://v1/{center}/901?Pneumothorax=left,0.50", 256))
    bare = Radiograph.from_pixels(marked.pixels)
    monkeypatch.setattr(simulated_check, "simulated_looks", lambda: looks)
    said = judge(bare, model)
    assert (said.readable, said.details.check) == (False, "provenance"), said
    wording(said.reason, "simulated")
    assert "read it anyway" in said.details.advice
    monkeypatch.setattr(simulated_check, "simulated_looks", lambda: None)
    assert judge(bare, model).details.check != "provenance", "without a model for simulated films nobody can tell"


def test_a_patients_film_does_not_look_simulated(looks: GaussianCloud, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(simulated_check, "simulated_looks", lambda: looks)
    said = judge(read_radiograph(sample_bytes("masses")), load.classifier("nih-mini", "cpu"))
    assert said.readable
    assert said.details.figures["distance to simulated looks"] > SIMULATED_CUT


def test_a_damaged_model_for_simulated_films_is_no_reason_to_refuse_a_patients(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_model(tmp_path, "test_resnet", name="phantom", films="simulated", gate="gone.safetensors")
    monkeypatch.setattr(registry, "REGISTRY", tmp_path)
    simulated_looks.cache_clear()
    assert simulated_looks() is None
    simulated_looks.cache_clear()
