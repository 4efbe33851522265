"""The same simulated patient imaged in another way: what changes, what does not, and who is refused."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from numpy.testing import assert_allclose

from explorer.simulator.address import make_address, parse_film_address
from explorer.simulator.film import PROCESSING, equipment_of
from explorer.simulator.film_png import RenderedFilm, render_film, simulated_png
from explorer.simulator.patient import describe
from explorer.simulator.perturbations.exposed_again import draw_again, exposed_again
from explorer.simulator.perturbations.kind import Exposure, NeedsPatient
from explorer.simulator.perturbations.registry import PHYSICAL, physical_levels
from explorer.simulator.request import Request
from models.perturbations.film import perturbed
from models.radiograph import Radiograph, read_radiograph
from tests.support.wording import Wording

ADDRESS = make_address("A", 41, [Request("Mass", "left", 0.6)])
EQUIPMENT_ALONE = ("dose", "kernel", "scatter", "grid", "processing")


@cache
def drawn(kind: str, dial: float) -> RenderedFilm:
    return draw_again(parse_film_address(ADDRESS), PHYSICAL[kind], dial)


def exposure() -> Exposure:
    film = parse_film_address(ADDRESS)
    return Exposure(describe(film.seed, film.center, film.drawing), equipment_of(film.center))


def test_every_kind_has_a_source_and_five_strengths_or_none() -> None:
    for name, kind in PHYSICAL.items():
        assert kind.name == name and kind.source and kind.title
        assert len(kind.dials) == (5 if kind.has_dial else 0)
        assert list(kind.dials) in (sorted(kind.dials), sorted(kind.dials, reverse=True))
    assert [level.name for level in physical_levels(["grid", "projection"])] == [
        *(f"grid-{strength}" for strength in range(1, 6)),
        "projection",
    ]
    assert len(physical_levels()) == 6 * 5 + 2


def test_equipment_changes_the_film_but_no_mask() -> None:
    before = render_film(ADDRESS)
    for name in EQUIPMENT_ALONE:
        after = drawn(name, (*PHYSICAL[name].dials, 0.0)[0])
        assert np.abs(after.pixels - before.pixels).max() > 1e-3
        assert np.array_equal(after.masks["Mass"], before.masks["Mass"])


def test_what_moves_the_patient_moves_the_exact_mask_with_it() -> None:
    before = render_film(ADDRESS).masks["Mass"]
    for name, dial in (("patient-rotation", 6.0), ("breath", 0.85), ("projection", 0.0)):
        after = drawn(name, dial).masks["Mass"]
        overlap = (before & after).sum() / (before | after).sum()
        assert 0.3 < overlap < 1 and after.sum() == pytest.approx(before.sum(), rel=0.6)


def test_a_quarter_of_the_dose_doubles_the_noise() -> None:
    noiseless = drawn("dose", 1e6).pixels
    inside = np.zeros(noiseless.shape, bool)
    inside[200:400, 100:400] = True
    noise = [float((drawn("dose", dial).pixels - noiseless)[inside].std()) for dial in (1.0, 0.25, 0.0625)]
    assert_allclose([noise[1] / noise[0], noise[2] / noise[1]], 2, rtol=0.05)


def test_scatter_lowers_contrast_and_a_wider_kernel_lowers_detail() -> None:
    before = render_film(ADDRESS).pixels[150:400, 100:400]
    detail = [float(np.abs(np.diff(drawn("kernel", dial).pixels[150:400, 100:400])).mean()) for dial in (0.07, 0.2)]
    assert float(np.abs(np.diff(before)).mean()) > detail[0] > detail[1]
    mass = render_film(ADDRESS).masks["Mass"]
    healthy = parse_film_address(ADDRESS).twin
    contrast = [
        float((draw_again(film, PHYSICAL["scatter"], dial).pixels)[mass].mean())
        for dial in (1.0, 3.0)
        for film in (parse_film_address(ADDRESS), healthy)
    ]
    assert contrast[0] - contrast[1] > contrast[2] - contrast[3] > 0


def test_dials_are_physical_by_hand() -> None:
    own = exposure()
    assert own.patient.view == "PA"
    detector = {name: PHYSICAL[name].expose(own, dial).equipment.detector for name, dial in DIALS.items()}
    assert detector["dose"].quanta == pytest.approx(2.4e7 / 4)
    assert detector["kernel"].blur == pytest.approx(0.07)
    assert detector["scatter"].scatter == pytest.approx(0.25 * 1.5)
    assert detector["grid"].cutoff == pytest.approx(0.2)
    turned = PHYSICAL["patient-rotation"].expose(own, 4.0).patient.rotation
    assert abs(turned) - abs(own.patient.rotation) == pytest.approx(4 * np.pi / 180)
    assert np.sign(turned) == np.sign(own.patient.rotation)
    assert PHYSICAL["breath"].expose(own, 0.9).patient.inspiration == pytest.approx(0.9 * own.patient.inspiration)
    there = PHYSICAL["projection"].expose(own, 0.0)
    assert (there.patient.view, there.patient.lying) == ("AP", False)
    assert PHYSICAL["projection"].expose(there, 0.0).patient.view == "PA"
    assert PHYSICAL["processing"].expose(own, 0.0).equipment.processing == PROCESSING["B"]


DIALS = {"dose": 0.25, "kernel": 0.07, "scatter": 1.5, "grid": 0.2}


def test_a_decoded_film_is_drawn_from_the_address_in_its_mark() -> None:
    film = read_radiograph(simulated_png(ADDRESS))
    (level,) = physical_levels(["projection"])
    assert_allclose(exposed_again(film, level).pixels, drawn("projection", 0.0).pixels, atol=1 / 65535)


def test_a_film_of_pixels_alone_is_refused(wording: Wording) -> None:
    film, (level, *_) = Radiograph.from_pixels(np.full((64, 64), 0.5, np.float32)), physical_levels(["dose"])
    with pytest.raises(NeedsPatient) as caught:
        exposed_again(film, level)
    wording(caught.value, "simulated")
    with pytest.raises(NeedsPatient) as caught:
        perturbed(film, level, "film")
    wording(caught.value, "simulated")
