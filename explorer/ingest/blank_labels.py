"""What a finding counts as where a row says nothing about it."""

from __future__ import annotations

from typing import Literal

Blank = Literal["absent", "unknown"]
