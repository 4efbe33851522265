"""On which side the heart lies: the shipped network against the one it was made from, and against its own card."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch
from numpy.typing import NDArray
from safetensors.numpy import load, save_file

from explorer.reading.samples import sample_bytes
from models.cards.card import UnusableModel
from models.cards.known_file import sha256_of
from models.gate import heart_side
from models.gate.film_looks import thumbnail
from models.gate.heart_side import HEART_SIDE_WEIGHTS, INPUT_SIDE, MIRRORED_CAUTION, square_input
from models.radiograph import read_radiograph
from models.training.shipping.heart_side import (
    HeartSideNetwork,
    card_markdown,
    cover_patches,
    fold_batch_norms,
    side_log_odds,
)

Floats = NDArray[np.float32]


def drawn(n: int, seed: int = 0) -> Floats:
    return np.random.default_rng(seed).random((n, INPUT_SIDE, INPUT_SIDE)).astype(np.float32)


@pytest.fixture
def shipped() -> dict[str, Floats]:
    return load(HEART_SIDE_WEIGHTS.read_bytes())


@pytest.mark.processor
def test_without_torch_the_network_says_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    torch.manual_seed(0)
    network = HeartSideNetwork()
    for norm in (part for part in network.modules() if isinstance(part, torch.nn.BatchNorm2d)):
        norm.running_mean.uniform_(-1, 1)
        norm.running_var.uniform_(0.5, 2)
        torch.nn.init.uniform_(norm.weight, -1, 2)
        torch.nn.init.uniform_(norm.bias, -1, 1)
    torch.nn.init.uniform_(network.last.weight, -9, 9)  # so that noise tells its sides apart
    save_file(fold_batch_norms(network.eval()) | {"cut": np.array([-1], np.float32)}, tmp_path / "own.safetensors")
    monkeypatch.setattr(heart_side, "HEART_SIDE_WEIGHTS", tmp_path / "own.safetensors")
    monkeypatch.setattr(heart_side, "WEIGHTS_SHA256", sha256_of(tmp_path / "own.safetensors"))
    heart_side.heart_side_network.cache_clear()
    films = drawn(6)
    expected = side_log_odds(network, np.stack([square_input(film) for film in films]))
    found = [heart_side.heart_side(film) for film in films]
    heart_side.heart_side_network.cache_clear()
    # They are differences of large sums: the smallest has the error of the largest.
    np.testing.assert_allclose(found, expected, rtol=1e-3, atol=1e-3 * np.abs(expected).max())
    assert np.abs(expected).min() > 0.01


@pytest.mark.parametrize("content", [None, b"", b"others"], ids=["missing", "empty", "others"])
def test_weights_that_are_not_those_shipped_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, content: bytes | None
) -> None:
    if content is not None:
        (tmp_path / "own.safetensors").write_bytes(content)
    monkeypatch.setattr(heart_side, "HEART_SIDE_WEIGHTS", tmp_path / "own.safetensors")
    heart_side.heart_side_network.cache_clear()
    with pytest.raises(UnusableModel, match=r"own\.safetensors"):
        heart_side.heart_side_network()


@pytest.mark.parametrize("shape", [(256, 213), (213, 256), (64, 64), (300, 256), (90, 96), (33, 300)])
def test_the_mirror_image_has_the_opposite_side(shape: tuple[int, int]) -> None:
    film = np.random.default_rng(1).random(shape).astype(np.float32)
    np.testing.assert_allclose(square_input(film[:, ::-1]), square_input(film)[:, ::-1], atol=1e-6)
    assert heart_side.heart_side(film[:, ::-1]) == pytest.approx(-heart_side.heart_side(film), abs=1e-3)


def test_no_window_or_gamma_moves_the_heart() -> None:
    film = thumbnail(read_radiograph(sample_bytes("masses")).pixels)
    assert heart_side.heart_side((0.1 + 0.6 * film**1.5).astype(np.float32)) == pytest.approx(
        heart_side.heart_side(film), rel=0.2
    )


@pytest.mark.parametrize("sample", ["masses", "phantom-normal", "phantom-effusion", "phantom-hydropneumothorax"])
def test_samples_are_told_from_their_mirror_images(sample: str) -> None:
    film = thumbnail(read_radiograph(sample_bytes(sample)).pixels)
    assert not heart_side.seems_mirrored(film, {})
    assert heart_side.seems_mirrored(film[:, ::-1], {})


def test_the_caution_says_how_often_it_is_wrong(shipped: dict[str, Floats]) -> None:
    found, cut = shipped["oof.heart_side"], float(shipped["cut"][0])
    assert "1 in 200" in MIRRORED_CAUTION
    assert (found < cut).mean() == pytest.approx(1 / 200, abs=0.0005)
    assert HEART_SIDE_WEIGHTS.with_suffix(".md").read_text(encoding="utf-8").startswith(card_markdown(found, cut, 755))


def test_patches_hide_markers_and_leave_most_of_a_film() -> None:
    films = torch.full((40, 1, INPUT_SIDE, INPUT_SIDE), 2.0)
    left = (cover_patches(films, torch.Generator().manual_seed(0)) == 2).float().mean((1, 2, 3))
    assert 0 < (left == 1).float().mean() < 0.5
    assert left.min() > 0.6


@pytest.mark.slow
@pytest.mark.shared
def test_films_of_a_center_no_one_trained_on(shared: Path) -> None:
    paths = sorted((shared / "data" / "hannover" / "images").glob("*.jpg"))[::3]
    films = [thumbnail(read_radiograph(path).pixels) for path in paths]
    assert sum(heart_side.seems_mirrored(film, {}) for film in films) <= 0.05 * len(films)
    assert sum(heart_side.seems_mirrored(film[:, ::-1], {}) for film in films) >= 0.5 * len(films)
