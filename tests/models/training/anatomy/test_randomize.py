"""Random changes move film and outlines alike, and keep grays in range."""

import pytest
import torch

from models.training.anatomy.randomize import REAL_TO_SIMULATED, moved, restyled

SIZE = 64


def squares(n: int = 6) -> torch.Tensor:
    """Films (n, 1, 128, 128), black with a white square in the middle."""
    films = torch.zeros(n, 1, 128, 128)
    films[:, :, 40:88, 40:88] = 1
    return films


def test_outlines_stay_on_what_they_outline() -> None:
    shown, shares, inside = moved(squares(), squares(), SIZE, torch.Generator().manual_seed(0))
    assert shown.shape == inside.shape == (6, 1, SIZE, SIZE) and shares.shape == (6, 1, SIZE // 2, SIZE // 2)
    assert torch.allclose(torch.nn.functional.avg_pool2d(shown, 2), shares, atol=1e-5)
    assert set(inside.unique().tolist()) <= {0.0, 1.0} and not shown[inside == 0].any()
    areas = shares.mean((1, 2, 3))
    assert areas.std() > 0.005 and (0.02 < areas).all() and (areas < 0.4).all()


def test_the_same_seed_draws_the_same_films() -> None:
    first, second = (moved(squares(), squares(), SIZE, torch.Generator().manual_seed(3))[0] for _ in range(2))
    assert torch.equal(first, second)


def test_a_restyled_film_is_in_range_and_its_border_is_even() -> None:
    generator = torch.Generator().manual_seed(1)
    shown, _, inside = moved(squares(24), squares(24), SIZE, generator)
    styled = restyled(shown, inside, generator)
    assert 0 <= float(styled.min()) and float(styled.max()) <= 1 and not styled.isnan().any()
    for film, part in zip(styled, inside, strict=True):
        border = film[part == 0]
        assert not len(border) or float(border.max() - border.min()) < 1e-6
        assert (
            not len(border) or float(border[0]) == pytest.approx(0, abs=1e-6) or float(border[0]) == pytest.approx(0.9)
        )
    assert (styled - shown).abs().mean() > 0.05


def test_real_films_hold_less_fine_detail_than_simulated_ones() -> None:
    assert REAL_TO_SIMULATED[0] == 0 and min(REAL_TO_SIMULATED) == REAL_TO_SIMULATED[-1] == -1.0
