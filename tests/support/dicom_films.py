"""DICOM films for tests: every gray level, read or refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from models.radiograph import Radiograph, UnreadableRadiograph, read_radiograph
from tests.support.film_files import (
    dicom_bytes,
    dicom_dataset,
)


def ramp(low: int, high: int, kind: type[Any] = np.uint16) -> NDArray[Any]:
    """Every value from `low` to `high` (64, 64)."""
    return np.linspace(low, high, 64 * 64).round().astype(kind).reshape(64, 64)


def read(stored: NDArray[Any], **attributes: object) -> Radiograph:
    return read_radiograph(dicom_bytes(dicom_dataset(stored, **attributes)))


def refusal(data: bytes | Path) -> UnreadableRadiograph:
    with pytest.raises(UnreadableRadiograph) as caught:
        read_radiograph(data)
    return caught.value
