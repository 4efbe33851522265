"""A chest drawn by hand, 100 x 100 pixels, whose measures are known."""

import numpy as np

from models.array_types import Bools


def drawn_chest() -> dict[str, Bools]:
    """Lungs 60 rows high and 30 columns wide at columns 10 and 60, a heart 32 columns wide between them."""
    masks = {
        name: np.zeros((100, 100), bool)
        for name in ("right lung", "left lung", "heart", "mediastinum", "below diaphragm", "ribs", "trachea")
    }
    masks["right lung"][10:70, 10:40] = True
    masks["left lung"][10:70, 60:90] = True
    masks["heart"][40:70, 38:70] = True
    masks["left lung"] &= ~masks["heart"]
    masks["right lung"] &= ~masks["heart"]
    masks["mediastinum"][10:40, 40:60] = True
    masks["below diaphragm"][70:100, 10:90] = True
    return masks
