"""A place for own cohorts that is empty at first."""

from __future__ import annotations

from pathlib import Path

import pytest

from explorer.cohorts.layout import HOME_VARIABLE
from explorer.cohorts.parquet_files import WRITING


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """TAILSCOPE_HOME."""
    monkeypatch.setenv(HOME_VARIABLE, str(tmp_path / "home"))
    return tmp_path / "home"


@pytest.fixture
def lightly_packed(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is written is larger, and written in a third of the time: a whole dataset has millions of labels."""
    monkeypatch.setitem(WRITING, "compression_level", 1)
