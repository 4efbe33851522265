"""Heart size and places of maps, on a chest drawn by hand."""

import json
import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from explorer.reading import anatomy as reading
from explorer.reading.anatomy import (
    MAGNIFIED,
    MIRRORED,
    NO_PLACE,
    NOT_READ,
    MapPlace,
    film_anatomy,
    heart_size,
    map_places,
)
from explorer.reading.anatomy_json import heart_size_answer
from models.anatomy import Anatomy
from models.gate.judgment import Verdict
from models.gate.verdict import VerdictDetails
from models.radiograph import Radiograph, View
from tests.models.anatomy.drawn import drawn_chest
from tests.support.answers import READABLE, Square

OUTLINES = Anatomy(drawn_chest(), "")
SQUARE = Square(100, (100, 100))
BLACK = Radiograph.from_pixels(np.zeros((100, 100)))


def places(outlines: Anatomy | str, *hot: tuple[str, int, int]) -> tuple[MapPlace, ...]:
    """The places of maps of 10 x 10 cells over the film, each hot in one cell: finding, row, column."""
    maps = np.zeros((len(hot), 10, 10), np.float32)
    for heat, (_, row, column) in zip(maps, hot, strict=True):
        heat[row, column] = 1
    return map_places(outlines, [finding for finding, _, _ in hot], maps, SQUARE)


def test_the_ratio_is_told_with_its_error_and_lines() -> None:
    size = heart_size(OUTLINES, "PA")
    assert size.says.startswith("Cardiothoracic ratio 0.40. The outlines were learned from simulated films; the mean ")
    answer = heart_size_answer(size)
    assert answer["ratio"] == pytest.approx(0.4)
    assert json.loads(json.dumps(answer)) == answer
    assert answer["lines"][2] == pytest.approx([0.1, 0.9, 0.105])  # the first of the widest rows


@pytest.mark.parametrize(("view", "is_told"), [("PA", False), ("AP", True), ("unknown", True)])
def test_magnification_is_mentioned_unless_the_film_is_pa(view: View, is_told: bool) -> None:
    assert heart_size(OUTLINES, view).says.endswith(MAGNIFIED) is is_told


def test_without_outlines_there_is_no_ratio_but_a_reason() -> None:
    answer = heart_size_answer(heart_size("The heart was not found.", "PA"))
    assert answer == {"ratio": None, "lines": [], "says": "Heart size not found. The heart was not found."}


def test_a_map_has_the_place_of_its_hottest_point() -> None:
    found = places(OUTLINES, ("Mass", 6, 2), ("Nodule", 1, 8), ("Cardiomegaly", 5, 5))
    assert [each.place for each in found] == ["right base", "left upper zone", "over the heart"]
    assert [each.caution for each in found] == ["", "", ""]


def test_a_map_of_the_lung_that_lies_elsewhere_has_a_caution() -> None:
    (found,) = places(OUTLINES, ("Mass", 9, 2))
    assert found == MapPlace("below the diaphragm", "Only 0 % of this map lies in the lungs.")


def test_a_map_without_heat_has_no_place() -> None:
    assert map_places(OUTLINES, ["Mass"], np.zeros((1, 10, 10), np.float32), SQUARE) == (NO_PLACE,)


def test_without_outlines_no_map_has_a_place() -> None:
    assert places("The heart was not found.", ("Mass", 6, 2)) == (NO_PLACE,)


def test_refused_and_mirrored_films_are_not_outlined(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "anatomy", lambda _: pytest.fail("the film was outlined"))
    refused = Verdict(False, "A lateral film.", VerdictDetails("lateral", "", None, {}))
    mirrored = Verdict(True, "", VerdictDetails(None, "", "mirror", {}), ("The film may be mirrored.",))
    assert film_anatomy(BLACK, refused) == NOT_READ
    assert film_anatomy(BLACK, mirrored) == MIRRORED


@pytest.mark.parametrize("wrong", ["", "The heart was not found."])
def test_implausible_outlines_are_not_used(wrong: str, monkeypatch: pytest.MonkeyPatch) -> None:
    outlines = Anatomy(drawn_chest(), wrong)
    monkeypatch.setattr(reading, "anatomy", lambda _: outlines)
    assert film_anatomy(BLACK, READABLE) == (wrong or outlines)


def test_all_films_are_outlined_in_one_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    threads: list[threading.Thread] = []

    def outlined(_: Radiograph) -> Anatomy:
        threads.append(threading.current_thread())
        return OUTLINES

    monkeypatch.setattr(reading, "anatomy", outlined)
    with ThreadPoolExecutor(3) as visitors:
        assert all(found is OUTLINES for found in visitors.map(film_anatomy, [BLACK] * 6, [READABLE] * 6))
    assert len(threads) == 6 and len(set(threads)) == 1
