"""Mosaics by hand: four tiles, and the labels of all of them."""

from __future__ import annotations

import pytest
import torch

from models.training.mixing.mosaic import Mosaic, tiled

NAN = float("nan")
TILES = torch.tensor([[0, 1, 2, 3], [1, 1, 1, 1], [2, 0, 2, 0], [3, 2, 1, 0]])


def test_four_films_are_tiled_around_the_center() -> None:
    films = torch.arange(4.0).view(4, 1, 1, 1).expand(4, 1, 4, 4)  # film k has the gray k everywhere
    found = tiled(TILES, down=0.25, right=0.5).images(films)
    expected = torch.tensor([[0.0, 0, 1, 1], [2, 2, 3, 3], [2, 2, 3, 3], [2, 2, 3, 3]])
    torch.testing.assert_close(found[0, 0], expected)
    torch.testing.assert_close(found[1], films[1])


def test_a_tile_is_the_whole_film_made_smaller() -> None:
    film = torch.zeros(1, 1, 8, 8)
    film[..., :4] = 1.0  # the left half is bright
    found = tiled(torch.zeros(1, 4, dtype=torch.long), 0.5, 0.5).images(film)
    assert found[0, 0, 0, [0, 3, 4, 7]].tolist() == pytest.approx([1, 0, 1, 0], abs=0.05)


def test_labels_are_united() -> None:
    labels = torch.tensor([[1.0, 0.0, 0.0], [0.0, 0.0, NAN], [0.0, 0.0, 1.0], [0.0, NAN, 0.0]])
    mix = tiled(TILES, 0.5, 0.5)
    expected = torch.tensor([[1.0, NAN, 1.0], [0.0, 0.0, NAN], [1.0, 0.0, 1.0], [1.0, NAN, 1.0]])
    torch.testing.assert_close(mix.labels(labels), expected, equal_nan=True)
    assert mix.traits(torch.ones(4, 3)).isnan().all()


def test_only_some_batches_are_mosaics() -> None:
    generator = torch.Generator().manual_seed(0)
    drawn = [Mosaic(chance=0.25)(8, generator) for _ in range(200)]
    made = [mix for mix in drawn if mix.united is not None]
    assert 30 < len(made) < 70
    assert all(torch.equal(mix.united[:, 0], torch.arange(8)) for mix in made if mix.united is not None)
    labels = torch.ones(8, 2)
    (plain,) = {id(mix.labels(labels)) for mix in drawn if mix.united is None}
    assert plain == id(labels)


@pytest.mark.parametrize("wrong", [{"chance": 1.5}, {"margin": 0.0}, {"margin": 0.6}])
def test_what_is_no_mosaic_is_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(ValueError, match=r"from 0 to 1|above 0 and at most"):
        Mosaic(**wrong)
