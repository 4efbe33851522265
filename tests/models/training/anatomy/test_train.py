"""The loss of outlines, and a training that resumes where it stopped."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from models.anatomy.structures import STRUCTURES
from models.training.anatomy import train as training
from models.training.anatomy.train import OutlineRecipe, outline_loss, train_outlines, unpack_outlines

BRIEF = OutlineRecipe(steps=3, batch_size=2, bfloat16=False)


def films(n: int = 4) -> np.ndarray:
    """Films (n, 2, 64, 64) of noise, whose outlines are random bits."""
    return np.random.default_rng(0).integers(0, 128, (n, 2, 64, 64)).astype(np.uint8)


def test_a_bit_is_a_structure() -> None:
    bits = np.array([[[0b0000101, 0b1000000]]], np.uint8)
    outlines = unpack_outlines(bits)
    assert outlines.shape == (1, len(STRUCTURES), 1, 2)
    assert outlines[0, :, 0, 0].tolist() == [1, 0, 1, 0, 0, 0, 0]
    assert outlines[0, :, 0, 1].tolist() == [0, 0, 0, 0, 0, 0, 1]


def test_the_loss_is_least_for_the_outlines_themselves() -> None:
    shares = torch.zeros(1, 1, 2, 2)
    shares[0, 0, 0] = 1
    certain = (shares - 0.5) * 40
    assert float(outline_loss(certain, shares)) == pytest.approx(0, abs=1e-6)
    # outputs 0.5 everywhere: common area 1, squares 4 x 0.25 + 2, so the Dice is (2 + 1) / (3 + 1)
    assert float(outline_loss(torch.zeros(1, 1, 2, 2), shares)) == pytest.approx(np.log(2) + 0.25)
    assert float(outline_loss(-certain, shares)) > 10


def test_an_interrupted_training_ends_as_an_uninterrupted_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = train_outlines(films(), BRIEF, tmp_path / "whole.pt")
    monkeypatch.setattr(training, "SAVED_EVERY", 1)
    checkpoint = tmp_path / "interrupted.pt"
    with pytest.raises(InterruptedError):
        train_outlines(_EndingFilms.of(films()), BRIEF, checkpoint)
    assert torch.load(checkpoint, weights_only=True)["step"] >= 1
    resumed = train_outlines(films(), replace(BRIEF), checkpoint)
    for name, values in whole.state_dict().items():
        torch.testing.assert_close(resumed.state_dict()[name], values, rtol=1e-4, atol=1e-5)


class _EndingFilms(np.ndarray):
    """Films that cannot be read a third time."""

    @classmethod
    def of(cls, drawn: np.ndarray) -> np.ndarray:
        made = drawn.view(cls)
        made.reads = 0
        return made

    def __getitem__(self, rows: object) -> np.ndarray:
        if isinstance(rows, np.ndarray):
            self.reads += 1
            if self.reads > 2:
                raise InterruptedError
        return np.asarray(super().__getitem__(rows))
