"""Which Chromium there is to drive."""

from __future__ import annotations

import shutil


def installed_browser() -> str | None:
    """Its path: without a window's frame where that is installed, for it computes less; None where there is none."""
    return shutil.which("chromium-headless-shell") or shutil.which("chromium")
