"""What a finding counts as that a row does not speak of."""

from __future__ import annotations

from typing import Literal

Blank = Literal["absent", "unknown"]
