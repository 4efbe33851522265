"""Training leaves the processor as it found it."""

from __future__ import annotations

import pytest
import torch

from models.training.processor import processor_for_training, subnormals_are_zero


def test_the_settings_hold_inside_and_are_put_back() -> None:
    threads = torch.get_num_threads()
    with processor_for_training(threads + 1):
        assert subnormals_are_zero()
        assert torch.get_num_threads() == threads + 1
    assert not subnormals_are_zero()
    assert torch.get_num_threads() == threads


def test_the_settings_are_put_back_after_an_error() -> None:
    threads = torch.get_num_threads()
    with pytest.raises(ZeroDivisionError), processor_for_training(threads + 1):
        1 / 0  # noqa: B018
    assert not subnormals_are_zero()
    assert torch.get_num_threads() == threads
