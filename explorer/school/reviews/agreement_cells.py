"""A measure of agreement as cells of a table, and as text with its interval."""

from __future__ import annotations

from explorer.core.csv_table import Cells
from explorer.core.figures import Estimate, estimate_text, number_text
from explorer.metrics.agreement_interval import Agreement


def agreement_cells(key: str, found: Agreement | None) -> Cells:
    """Return a measure and the ends of its interval as three cells; None where it is undefined."""
    low, high = (found.interval if found else None) or (None, None)
    return {key: found.value if found else None, f"{key}_95_low": low, f"{key}_95_high": high}


def agreement_text(row: Cells, key: str) -> str:
    """Return a measure with its interval; empty if it is undefined."""
    value = row[key]
    if value is None:
        return ""
    low, high = row[f"{key}_95_low"], row[f"{key}_95_high"]
    ends = (float("nan"),) * 2 if low is None or high is None else (float(low), float(high))
    if key.startswith("kappa") or key in ("fleiss", "ac1", "own_ac1"):  # may be negative
        return number_text(float(value), *ends)
    return estimate_text(Estimate(float(value), *ends), digits=2)
