"""Films read one at a time by a model that may still be loading. No weights are needed."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from explorer.reading.model_loader import BackgroundModel
from explorer.reading.reader import FilmHeat, Reader, ReadingModel
from models.cards.card import Card, CardPoint, UnusableModel
from models.radiograph import Radiograph
from tests.support.cards import card_of
from tests.support.wording import Wording

FINDINGS = ("Mass", "Nodule", "Hernia", "Edema", "Normal")
THRESHOLDS = {"Mass": 0.6, "Nodule": 0.2, "Edema": 0.5}
SCORES = np.array([0.5, 0.9, 0.1, 0.5, 0.7], dtype=np.float32)


@dataclass(frozen=True)
class Box:
    size: int = 96
    inner: tuple[int, int] = (96, 48)
    offset: tuple[int, int] = (0, 24)


@dataclass(frozen=True)
class Heat:
    maps: NDArray[np.float32]
    box: Box


class FiveFindings:
    """Fulfils the contract of a classifier without weights and counts how many calls run at once."""

    device = "cpu"

    def __init__(self) -> None:
        self.card = card_of(FINDINGS, THRESHOLDS, name="five", gate=None)
        self.running = self.most = 0
        self._count = threading.Lock()

    def read(self, radiograph: Radiograph) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        with self._count:
            self.running += 1
            self.most = max(self.most, self.running)
        time.sleep(0.01)
        with self._count:
            self.running -= 1
        return SCORES, np.zeros(4, dtype=np.float32)

    def heat(self, radiograph: Radiograph, findings: Sequence[str]) -> FilmHeat:
        """A slope for each finding, Mass and Nodule the same way, Hernia the other, Normal none."""
        slopes = {"Mass": 1, "Nodule": 2, "Hernia": -1, "Edema": 3, "Normal": 0}
        ramp = np.arange(3, dtype=np.float32)[:, None] - 1 + np.zeros((3, 3), dtype=np.float32)
        return Heat(np.stack([slopes[finding] * ramp for finding in findings]), Box())

    def features(self, radiographs: Sequence[Radiograph]) -> NDArray[np.float32]:
        return np.zeros((len(radiographs), 4), dtype=np.float32)

    def score(self, radiographs: Sequence[Radiograph]) -> NDArray[np.float32]:
        return np.tile(SCORES, (len(radiographs), 1))


def reader(load: Callable[[], ReadingModel]) -> Reader:
    model = BackgroundModel("five", load)
    model.start()
    return Reader(model)


@pytest.fixture
def film() -> Radiograph:
    return Radiograph.from_pixels(np.linspace(0, 1, 64, dtype=np.float32).reshape(8, 8))


@pytest.mark.parametrize(
    ("findings", "similarity"),
    [
        pytest.param(["Mass", "Nodule"], 1.0, id="the same map twice"),
        pytest.param(["Mass", "Nodule", "Edema", "Hernia"], 0.0, id="three of four alike: half of the pairs"),
        pytest.param(["Mass", "Normal"], None, id="one without heat"),
        pytest.param(["Mass"], None, id="one"),
    ],
)
def test_maps_come_in_the_order_they_were_asked_for(
    film: Radiograph, findings: list[str], similarity: float | None
) -> None:
    mapped = reader(FiveFindings).heat(film, findings)
    assert mapped.findings == tuple(findings)
    assert mapped.heat.maps.shape == (len(findings), 3, 3)
    assert mapped.similarity == (None if similarity is None else pytest.approx(similarity))


def test_thresholds_that_are_chosen_later_are_in_force_for_an_earlier_reading(film: Radiograph) -> None:
    chosen = {"Hernia": CardPoint(0.3, "chosen here")}

    def placed(card: Card) -> Card:
        return replace(card, operating_points={**card.operating_points, **chosen}, chosen_here=frozenset(chosen))

    model = BackgroundModel("five", FiveFindings)
    model.start()
    before = Reader(model).read(film)
    assert {row.finding for row in before.rows if row.chosen_here} == set()
    now = Reader(model, placed)
    later = now.as_of_now(before)
    assert later.rows == now.read(film).rows and now.as_of_now(later) is later
    (hernia,) = (row for row in later.rows if row.chosen_here)
    assert (hernia.finding, hernia.threshold, hernia.rule) == ("Hernia", 0.3, "chosen here")
    assert Reader(model).as_of_now(later).rows == before.rows, "taken back"


def test_one_film_at_a_time(film: Radiograph) -> None:
    model = FiveFindings()
    one_by_one = reader(lambda: model)
    with ThreadPoolExecutor(4) as pool:
        readings = list(pool.map(one_by_one.read, [film] * 8))
    assert model.most == 1
    assert max(reading.wait_ms for reading in readings) >= 10


def test_a_film_in_line_is_told_its_place(film: Radiograph) -> None:
    model = FiveFindings()
    one_by_one = reader(lambda: model)
    with ThreadPoolExecutor(3) as pool:
        waiting = [pool.submit(one_by_one.read, film, name) for name in ("first", "second", "third")]
        places = set()
        while not all(each.done() for each in waiting):
            places.add(one_by_one.ahead("third"))
            time.sleep(0.001)
    assert places & {1, 2}
    assert (one_by_one.ahead("third"), one_by_one.loading) == (None, False)


@pytest.mark.parametrize(("body_part", "readable"), [("CHEST", True), ("LEG", False)])
def test_a_reading_carries_the_verdict_and_the_findings_all_the_same(body_part: str, readable: bool) -> None:
    slope = np.linspace(0, 1, 128, dtype=np.float32)
    reading = reader(FiveFindings).read(Radiograph.from_pixels(np.outer(slope, slope[::-1]), body_part=body_part))
    assert reading.verdict.readable is readable
    assert (reading.verdict.reason == "") is readable
    assert len(reading.rows) == len(FINDINGS)


def test_a_model_that_cannot_be_had_is_told(film: Radiograph) -> None:
    def fails() -> ReadingModel:
        raise UnusableModel("There is no model 'x'", "Choose another one.")

    with pytest.raises(UnusableModel, match="no model"):
        reader(fails).read(film)


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


def test_a_model_that_failed_says_why_and_raises_for_everybody(wording: Wording) -> None:
    def load() -> FiveFindings:
        raise UnusableModel("There is no model 'five'", "Choose another one.")

    model = settled(load)
    wording(model.status, "'five'")
    for _ in range(2):
        with pytest.raises(UnusableModel):
            model()


def test_a_surprise_while_loading_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    def load() -> FiveFindings:
        raise ImportError("libcudart.so")

    assert "could not be loaded" in settled(load).status
    assert "libcudart.so" in caplog.text
