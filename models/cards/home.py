"""The folders on this machine for user data: cohorts, models, downloaded weights."""

from __future__ import annotations

import os
from pathlib import Path

from platformdirs import user_data_path

HOME_VARIABLE = "TAILSCOPE_HOME"


def tailscope_home() -> Path:
    """Return the folder named by TAILSCOPE_HOME, by default the user data folder."""
    named = os.environ.get(HOME_VARIABLE, "").strip()
    return Path(named).expanduser() if named else user_data_path("tailscope")


def own_models() -> Path:
    """Return the folder of the user's own cards, each `NAME.toml` with its weights next to it."""
    return tailscope_home() / "models"


def downloads() -> Path:
    """Return the folder of downloaded weights."""
    return own_models() / "downloads"
