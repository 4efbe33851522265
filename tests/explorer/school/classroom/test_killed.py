"""A class that is killed loses no answer that it acknowledged, and has none twice.

`python -m tests.benchmarks.classroom --kills 100` does it a hundred times with 50 learners.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.killed_classes import kill_classes


@pytest.mark.slow
def test_nothing_acknowledged_is_lost_or_twice_after_a_kill(tmp_path: Path) -> None:
    losses = kill_classes(tmp_path, kills=20, learners=10, seed=1)
    assert (losses.kills, losses.stages) == (20, {"broken off": 20})
    assert losses.acknowledged > 200
    assert (losses.lost, losses.twice) == ([], [])
