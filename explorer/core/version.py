"""The version of Tailscope."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib import metadata

from models.cards.card import PROJECT


@cache
def version() -> str:
    """Return the version from pyproject.toml, its only source, or from the package metadata if installed."""
    stated = PROJECT / "pyproject.toml"
    if not stated.is_file():
        return metadata.version("tailscope")
    project: dict[str, str] = tomllib.loads(stated.read_text(encoding="utf-8"))["project"]
    return project["version"]
