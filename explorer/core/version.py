"""Which Tailscope this is."""

from __future__ import annotations

import tomllib
from functools import cache

from models.cards.card import PROJECT


@cache
def version() -> str:
    """The version in pyproject.toml, the one place that states it."""
    project: dict[str, str] = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return project["version"]
