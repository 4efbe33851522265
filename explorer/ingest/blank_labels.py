"""How a finding counts if a row leaves it blank."""

from __future__ import annotations

from typing import Literal

Blank = Literal["absent", "unknown"]
