"""Position and finding agree in films of the second way of drawing; those of the first look as they always did."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from explorer.simulator import CENTERS, Center, Request, WrongRequest, describe, markers, render, settle
from explorer.simulator.address import make_address, parse_film_address
from explorer.simulator.cohort_sampling import TEST_SPLIT, sample_cases
from explorer.simulator.film_png import render_elsewhere, render_film
from explorer.simulator.version import FIRST_DRAWING, POSTURE_DRAWING

SIZE = 160
IN_BED = [seed for seed in range(300_000, 300_060) if describe(seed, "B").view == "AP"]
SUPINE = [seed for seed in IN_BED if describe(seed, "B", POSTURE_DRAWING).lying]
ERECT = [seed for seed in IN_BED if seed not in SUPINE]


def change(seed: int, finding: str, side: str = "right") -> np.ndarray:
    """Film less its twin, denser is more."""
    film = render(seed, [Request(finding, side, 0.9)], "B", SIZE, POSTURE_DRAWING)[0]
    return np.asarray(film - render(seed, [], "B", SIZE, POSTURE_DRAWING)[0])


def steepest(seed: int, finding: str) -> float:
    """The largest step from one row to the next, of the mean over the columns that the finding changes most."""
    changed = change(seed, finding)
    columns = np.abs(changed).sum(0) > 0.5 * np.abs(changed).sum(0).max()
    return float(np.abs(np.diff(changed[:, columns].mean(1))).max())


def test_half_of_the_patients_in_bed_sit_and_their_position_is_said() -> None:
    assert 0.3 < len(ERECT) / len(IN_BED) < 0.7
    assert {describe(seed, "B", POSTURE_DRAWING).position for seed in SUPINE} == {"AP supine"}
    assert {describe(seed, "B", POSTURE_DRAWING).position for seed in ERECT} == {"AP erect"}
    assert {describe(seed, "B").position for seed in IN_BED} == {"AP"}


def test_the_word_on_the_film_is_how_the_patient_lay(monkeypatch: pytest.MonkeyPatch) -> None:
    written: list[str] = []
    monkeypatch.setattr(markers, "_write", lambda film, text, *rest: written.append(text))
    for seed in (SUPINE[0], ERECT[0]):
        render(seed, [], "B", SIZE, POSTURE_DRAWING)
    assert [word for word in written if word in ("SUPINE", "ERECT", "BED", "PORTABLE")] == ["SUPINE", "ERECT"]


@pytest.mark.parametrize("finding", ["Hydropneumothorax", "Pneumoperitoneum"])
def test_a_level_or_a_crescent_is_seen_in_patients_who_sit_alone(finding: str) -> None:
    sitting, lying = ([steepest(seed, finding) for seed in seeds[:5]] for seeds in (ERECT, SUPINE))
    assert min(sitting) > 1.5 * max(lying), (sitting, lying)


def test_air_in_the_chest_wall_is_beside_the_pneumothorax() -> None:
    asked = ["Pneumothorax", "Subcutaneous Emphysema"]
    apart = 0
    for seed in range(20):
        leak, tracks = settle(seed, asked, POSTURE_DRAWING)
        assert leak.side == tracks.side
        before = settle(seed, asked)
        apart += before[0].side != before[1].side
        chosen = settle(
            seed, [Request("Pneumothorax", "left"), Request("Subcutaneous Emphysema", "right")], POSTURE_DRAWING
        )
        assert [each.side for each in chosen] == ["left", "right"], "a side that was asked for is kept"
    assert apart > 5


def test_an_address_says_which_way_it_was_drawn() -> None:
    where = make_address("B", SUPINE[0], ["Hernia"], POSTURE_DRAWING)
    assert where.startswith("phantom://v2/B/") and parse_film_address(where).drawing == POSTURE_DRAWING
    assert (
        parse_film_address(where).twin
        == replace(parse_film_address(where), requests=())
        == parse_film_address(f"phantom://v2/B/{SUPINE[0]}")
    )
    with pytest.raises(WrongRequest, match="no version 3"):
        describe(1, "B", 3)


def test_the_shipped_cohort_is_of_the_first_way_of_drawing() -> None:
    assert {case.film.drawing for case in sample_cases(TEST_SPLIT)} == {FIRST_DRAWING}


@pytest.mark.parametrize("center", CENTERS)
def test_an_upright_patient_without_tubes_looks_alike_in_both(center: Center) -> None:
    seed = next(seed for seed in range(60) if describe(seed, center).view == "PA")
    films = [
        render(seed, ["Hydropneumothorax"], center, SIZE, drawing)[0] for drawing in (FIRST_DRAWING, POSTURE_DRAWING)
    ]
    assert np.array_equal(*films)


def test_another_center_films_the_same_body_in_the_same_place() -> None:
    """Only detector, processing, collimator and markers differ: the masks are those of anatomy and field."""
    where = make_address(
        "B", SUPINE[0], [Request("Cardiomegaly", "", 0.6), Request("Mass", "left", 0.8)], POSTURE_DRAWING
    )
    here, there = render_film(where), render_elsewhere(where)
    assert not np.array_equal(here.pixels, there.pixels)
    for finding, mask in here.masks.items():
        assert np.array_equal(mask, there.masks[finding]), finding
