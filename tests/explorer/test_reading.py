"""Rows, their order, and one model used by one reader at a time. No weights are needed."""

from __future__ import annotations

import io
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from types import MappingProxyType, SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

from explorer.background import BackgroundModel
from explorer.picture import png
from explorer.reading import Classifier, Explanation, Reader, Row, rows_of
from models.card import Card, UnusableModel
from models.radiograph import Radiograph

FINDINGS = ("Mass", "Nodule", "Hernia", "Edema", "Normal")
THRESHOLDS = {"Mass": 0.6, "Nodule": 0.2, "Edema": 0.5}
SCORES = np.array([0.5, 0.9, 0.1, 0.5, 0.7], dtype=np.float32)


@dataclass(frozen=True)
class Box:
    size: int = 96
    inner: tuple[int, int] = (96, 48)
    offset: tuple[int, int] = (0, 24)


@dataclass(frozen=True)
class Made:
    scores: NDArray[np.float32]
    maps: NDArray[np.float32]
    box: Box


class FiveFindings:
    """Fulfils the contract of a classifier without weights and counts how many calls run at once."""

    device = "cpu"

    def __init__(self) -> None:
        points = {name: SimpleNamespace(threshold=value) for name, value in THRESHOLDS.items()}
        card = SimpleNamespace(name="five", findings=FINDINGS, operating_points=MappingProxyType(points), warnings={})
        self.card = cast(Card, card)
        self.running = self.most = 0
        self._count = threading.Lock()

    def explain(self, radiograph: Radiograph) -> Explanation:
        with self._count:
            self.running += 1
            self.most = max(self.most, self.running)
        time.sleep(0.01)
        with self._count:
            self.running -= 1
        maps = np.arange(5, dtype=np.float32)[:, None, None] * np.ones((1, 3, 3), dtype=np.float32)
        return Made(SCORES, maps, Box())


@pytest.fixture
def film() -> Radiograph:
    return Radiograph.from_pixels(np.linspace(0, 1, 64, dtype=np.float32).reshape(8, 8))


def test_rows_go_by_margin_and_those_without_threshold_follow_by_score() -> None:
    rows = rows_of(FiveFindings().card, SCORES)
    assert [row.finding for row in rows] == ["Nodule", "Edema", "Mass", "Normal", "Hernia"]
    assert [row.above for row in rows] == [True, True, False, None, None]
    assert rows[0].margin == pytest.approx(0.7)
    assert rows[3].margin is None


@pytest.mark.parametrize(("score", "above"), [(0.5, True), (0.49, False)])
def test_a_score_at_the_threshold_reaches_it(score: float, above: bool) -> None:
    assert Row("Mass", score, 0.5).above is above


def test_maps_follow_their_rows(film: Radiograph) -> None:
    reading = Reader(FiveFindings).read(film)
    assert [FINDINGS[int(heat[0, 0])] for heat in reading.maps] == [row.finding for row in reading.rows]


def test_one_film_at_a_time(film: Radiograph) -> None:
    model = FiveFindings()
    reader = Reader(lambda: model)
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(reader.read, [film] * 8))
    assert model.most == 1


def test_a_model_that_cannot_be_had_is_told(film: Radiograph) -> None:
    def fails() -> Classifier:
        raise UnusableModel("There is no model 'x'", "Choose another one.")

    with pytest.raises(UnusableModel, match="no model"):
        Reader(fails).read(film)


def settled(load: Any) -> BackgroundModel:  # noqa: ANN401 - functions that return, and functions that raise
    model = BackgroundModel("five", load)
    assert model.status == "Loading five ..."
    model.start()
    model.wait()
    return model


def test_a_model_in_the_background_is_waited_for() -> None:
    release = threading.Event()

    def load() -> FiveFindings:
        release.wait()
        return FiveFindings()

    model = BackgroundModel("five", load)
    model.start()
    assert model.loading
    release.set()
    assert model().card.name == "five"
    assert (model.loading, model.status) == (False, "five on cpu")


def test_a_model_that_failed_says_why_and_raises_for_everybody() -> None:
    def load() -> FiveFindings:
        raise UnusableModel("There is no model 'five'", "Choose another one.")

    model = settled(load)
    assert model.status == "There is no model 'five'. Choose another one."
    for _ in range(2):
        with pytest.raises(UnusableModel):
            model()


def test_a_surprise_while_loading_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    def load() -> FiveFindings:
        raise ImportError("libcudart.so")

    assert "could not be loaded" in settled(load).status
    assert "libcudart.so" in caplog.text


@pytest.mark.parametrize(("shape", "shown"), [((40, 30), (30, 40)), ((3000, 1500), (512, 1024))])
def test_the_picture_keeps_its_shape(shape: tuple[int, int], shown: tuple[int, int]) -> None:
    pixels = np.zeros(shape, dtype=np.float32)
    pixels[: shape[0] // 2] = 1
    image = Image.open(io.BytesIO(png(pixels)))
    assert (image.mode, image.size) == ("L", shown)
    assert (image.getpixel((2, 2)), image.getpixel((2, shown[1] - 2))) == (255, 0)
