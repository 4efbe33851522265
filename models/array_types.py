"""Array type aliases by element type. Shapes and units are documented where each array is used."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Float32 = NDArray[np.float32]
Float64 = NDArray[np.float64]
Floating = NDArray[np.floating]
Bools = NDArray[np.bool_]
UInt8 = NDArray[np.uint8]
Indices = NDArray[np.intp]
