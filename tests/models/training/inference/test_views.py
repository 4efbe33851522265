"""Views of a film: what each does to its pixels, and that their logits are averaged."""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor, nn

from models.training.inference.mirror import MirrorAveraging
from models.training.inference.ten_crops import TenCrops
from models.training.inference.turns import TurnAveraging
from models.training.inference.views import crop_films, mean_over_views, mirror_films, turn_films

FINDINGS = ("Normal", "Mass")


class Halves(nn.Module):
    """The mean of the left half and of the right half of a normalized film."""

    def forward(self, films: Tensor) -> Tensor:
        half = films.shape[-1] // 2
        return torch.stack([films[..., :half].mean((1, 2, 3)), films[..., half:].mean((1, 2, 3))], 1)


def bright_left(side: int = 40) -> np.ndarray:
    film = np.zeros((1, side, side), dtype=np.uint8)
    film[:, :, : side // 2] = 255
    return film


def test_the_mirror_image_exchanges_the_sides() -> None:
    film = torch.arange(12.0).view(1, 1, 3, 4)
    assert mirror_films(film)[0, 0, 0].tolist() == [3, 2, 1, 0]
    alone = mean_over_views(Halves(), bright_left(), 2, [lambda films: films])
    np.testing.assert_allclose(alone, [[2, -2]], atol=1e-6)
    np.testing.assert_allclose(MirrorAveraging()([Halves()], bright_left(), FINDINGS), [[0, 0]], atol=1e-6)


def test_a_turn_by_a_right_angle_is_numpys() -> None:
    film = torch.rand(2, 1, 8, 8)
    expected = np.rot90(film.numpy(), 1, axes=(2, 3))
    found = turn_films(film, 90.0).numpy()
    assert min(np.abs(found - expected).max(), np.abs(found - np.rot90(film.numpy(), -1, axes=(2, 3))).max()) < 1e-5
    torch.testing.assert_close(turn_films(film, 0.0), film)


def test_turns_to_both_sides_keep_what_is_even_to_both() -> None:
    film = np.tile(np.abs(np.arange(41) - 20) < 6, (1, 41, 1)).astype(np.uint8) * 255
    said = TurnAveraging(degrees=8.0)([Halves()], np.ascontiguousarray(film[:, :40, :40]), FINDINGS)
    assert said.shape == (1, 2) and abs(said[0, 0] - said[0, 1]) < 0.3
    one, other = (mean_over_views(Halves(), bright_left(), 2, [lambda f, d=d: turn_films(f, d)]) for d in (-8.0, 8.0))
    straight = mean_over_views(Halves(), bright_left(), 2, [lambda films: films])
    np.testing.assert_allclose(
        TurnAveraging(8.0)([Halves()], bright_left(), FINDINGS), (one + other + straight) / 3, rtol=1e-5
    )


def test_turns_may_have_the_mirror_image_beside_them() -> None:
    straight = mean_over_views(Halves(), bright_left(), 2, [lambda films: films])
    turned = TurnAveraging(8.0)([Halves()], bright_left(), FINDINGS)
    both = TurnAveraging(8.0, mirror=True)([Halves()], bright_left(), FINDINGS)
    np.testing.assert_allclose(both, (3 * turned + straight[:, ::-1]) / 4, rtol=1e-5)


def test_a_crop_is_that_part_enlarged() -> None:
    film = torch.zeros(1, 1, 10, 10)
    film[..., :5, 5:] = 1
    assert crop_films(film, 0.5, 0.0, 1.0).mean() == 1 and crop_films(film, 0.5, 1.0, 0.0).mean() == 0
    assert crop_films(film, 0.5, 0.5, 0.5).shape == (1, 1, 10, 10)
    torch.testing.assert_close(crop_films(film, 1.0, 0.5, 0.5), film)


def test_ten_crops_are_five_and_their_mirror_images() -> None:
    five = TenCrops(share=0.8, mirror=False)([Halves()], bright_left(), FINDINGS)
    ten = TenCrops(share=0.8)([Halves()], bright_left(), FINDINGS)
    # Crops of 32 columns of 40, 20 of them bright, begin at 0, 4 and 8: the halves hold 16 and 4, 16 and 0, 12 and 0.
    left = (2 * 16 + 16 + 2 * 12) / 5 / 16
    right = 2 * 4 / 5 / 16
    np.testing.assert_allclose(five, [[4 * left - 2, 4 * right - 2]], atol=0.02)
    np.testing.assert_allclose(ten, np.full((1, 2), five.mean()), atol=1e-5)
