"""Where this machine keeps what its user brings: cohorts, models, weights that were downloaded."""

from __future__ import annotations

import os
from pathlib import Path

from platformdirs import user_data_path

HOME_VARIABLE = "TAILSCOPE_HOME"


def tailscope_home() -> Path:
    """The folder that TAILSCOPE_HOME names, by default that of the user's data."""
    named = os.environ.get(HOME_VARIABLE, "").strip()
    return Path(named).expanduser() if named else user_data_path("tailscope")


def own_models() -> Path:
    """The folder of cards that the user wrote, each `NAME.toml` with its weights beside it."""
    return tailscope_home() / "models"


def downloads() -> Path:
    """The folder of weights that were downloaded."""
    return own_models() / "downloads"
