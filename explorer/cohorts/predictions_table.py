"""Arranges a model's scores as the rows of a Parquet file."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from explorer.cohorts.schema import PREDICTIONS


def predictions_table(cases: Sequence[str], findings: Sequence[str], scores: NDArray[np.float32]) -> pa.Table:
    """Return scores (n, findings) as one row per pair, grouped by finding, which compresses best."""
    numbers = np.repeat(np.arange(len(findings), dtype=np.int32), len(cases))
    columns = {
        "case": pa.array(list(cases) * len(findings), pa.string()),
        "finding": pa.DictionaryArray.from_arrays(numbers, pa.array(findings, pa.string())),
        "score": pa.array(scores.T.ravel(), pa.float32()),
    }
    return pa.table(columns, schema=PREDICTIONS)
