"""Simulated films as files: the pixels of the renderer, a mark that says so, and masks that are made once."""

from __future__ import annotations

import numpy as np
import pytest

from explorer.simulator import WrongRequest, describe, film_png, render
from explorer.simulator.address import parse_film_address
from explorer.simulator.film_png import FILM_SIZE, film_of_mark, render_film, simulated_png
from models.radiograph import read_radiograph

ADDRESS = "phantom://v1/B/41?Cardiomegaly=,0.30&Pleural+Effusion=left,0.62"
SMALL = 96


@pytest.mark.parametrize("address", ["phantom://v1/A/3", ADDRESS])
def test_a_file_has_the_renderers_pixels_to_16_bits_and_says_that_they_are_simulated(address: str) -> None:
    film = parse_film_address(address)
    read = read_radiograph(simulated_png(address, SMALL))
    pixels, _ = render(film.seed, film.requests, film.center, SMALL)
    assert np.abs(read.pixels - pixels).max() <= 0.5 / 65535 + 1e-6
    assert (read.simulated, read.notes, read.colorfulness) == (True, (), 0.0)


def test_the_file_says_its_view_so_that_nobody_has_to_guess_the_sides() -> None:
    views = {}
    for seed in range(4):
        read = read_radiograph(simulated_png(f"phantom://v1/B/{seed}", SMALL))
        views[seed] = read.view
        assert read.sides == "stated"
    assert views == {seed: describe(seed, "B").view for seed in range(4)}


def test_the_file_carries_its_address_to_be_made_again() -> None:
    data = simulated_png(ADDRESS, SMALL)
    assert ADDRESS.encode() in data
    assert data == simulated_png(ADDRESS, SMALL)
    assert film_of_mark(read_radiograph(data).mark) == (ADDRESS, parse_film_address(ADDRESS))


def test_a_film_and_its_masks_are_made_once(monkeypatch: pytest.MonkeyPatch) -> None:
    for kept in (film_png._cached_full_size, film_png._cached_other_size, film_png._cached_png):
        kept.cache_clear()
    sizes: list[int] = []

    def counted(*order: object) -> object:
        sizes.append(order[3])  # type: ignore[arg-type]
        return render(*order)  # type: ignore[arg-type]

    monkeypatch.setattr(film_png, "render", counted)
    simulated_png(ADDRESS)
    assert set(render_film(ADDRESS).masks) == {"Cardiomegaly", "Pleural Effusion"}
    simulated_png(ADDRESS, SMALL)
    assert sizes == [FILM_SIZE, SMALL]
    assert simulated_png(ADDRESS) is simulated_png(ADDRESS), "nor is it compressed twice"


@pytest.mark.parametrize("text", ["", "phantom://v3/A/3", "phantom://v1/A/3?Gout=,0.50", f"phantom://v1/A/{2**32 - 1}"])
def test_what_is_no_film_is_refused(text: str) -> None:
    with pytest.raises(WrongRequest):
        simulated_png(text, SMALL)
