"""Film to model input and back, on films of any shape."""

from __future__ import annotations

import pytest
import torch

from models.classifier.letterbox import Letterbox

SHAPES = [(400, 400), (300, 500), (512, 200), (97, 613)]


@pytest.mark.parametrize(("height", "width"), SHAPES)
def test_fit_keeps_the_whole_film_and_pads_with_air(height: int, width: int) -> None:
    box = Letterbox(height, width, 96)
    fitted = box.fit(torch.ones(height, width))
    (top, left), (inner_height, inner_width) = box.offset, box.inner
    assert fitted.shape == (96, 96)
    assert max(box.inner) == 96
    assert torch.allclose(fitted[top : top + inner_height, left : left + inner_width], torch.ones(box.inner))
    assert float(fitted.sum()) == pytest.approx(inner_height * inner_width, rel=1e-4)


@pytest.mark.parametrize(("height", "width"), SHAPES)
@pytest.mark.parametrize(("row", "column"), [(0.25, 0.5), (0.5, 0.8), (0.9, 0.1)])
def test_a_spot_returns_to_its_place_on_the_film(height: int, width: int, row: float, column: float) -> None:
    box = Letterbox(height, width, 192)
    film = torch.zeros(height, width)
    y, x = int(row * height), int(column * width)
    film[max(0, y - 6) : y + 7, max(0, x - 6) : x + 7] = 1
    restored = box.restore(box.fit(film)[None])[0]
    assert restored.shape == (height, width)
    peak = (restored == restored.max()).nonzero().float().mean(0)
    cell = max(height, width) / 192
    assert abs(float(peak[0]) - y) <= 6 + cell
    assert abs(float(peak[1]) - x) <= 6 + cell


def test_a_coarse_cell_covers_the_film_it_was_computed_from() -> None:
    # A 100 x 200 film fills the middle half of the square: of a 4 x 4 map the two middle rows are the film.
    maps = torch.zeros(1, 4, 4)
    maps[0, 1, 3] = 1
    restored = Letterbox(100, 200, 64).restore(maps)[0]
    assert restored[25, 175] == pytest.approx(1, abs=0.03)
    assert float(restored[80, 20]) == 0


def test_restore_bounds_the_longer_side() -> None:
    assert Letterbox(300, 600, 64).restore(torch.zeros(2, 4, 4), longest=150).shape == (2, 75, 150)
    assert Letterbox(30, 60, 64).restore(torch.zeros(2, 4, 4), longest=150).shape == (2, 30, 60)
