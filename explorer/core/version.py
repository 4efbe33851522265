"""Which Tailscope this is."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib import metadata

from models.cards.card import PROJECT


@cache
def version() -> str:
    """The version in pyproject.toml, which alone states it; in an installed Tailscope that of the package."""
    stated = PROJECT / "pyproject.toml"
    if not stated.is_file():
        return metadata.version("tailscope")
    project: dict[str, str] = tomllib.loads(stated.read_text(encoding="utf-8"))["project"]
    return project["version"]
