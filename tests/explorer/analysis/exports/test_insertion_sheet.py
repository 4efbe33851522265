"""A printed sheet says whether to believe the inserted finding."""

from __future__ import annotations

import numpy as np
import pytest

from explorer.analysis.exports.insertion_sheet import blind_spot_sheet, insertion_sheet
from explorer.insertion.blind_spots import BlindSpots, Place
from explorer.insertion.insertion import Inserted
from explorer.insertion.rescored import Rescored
from models.radiograph import Radiograph

FILM = Radiograph.from_pixels(np.full((120, 100), 0.4, np.float32))
DOUBT = "Not validated: m does not see an inserted Mass as it sees real ones."


@pytest.mark.parametrize("kind", ["one finding", "many places"])
def test_the_doubt_is_a_line_below_the_pictures(kind: str) -> None:
    def sheet(believable: str) -> np.ndarray:
        if kind == "one finding":
            found = Rescored(Inserted(FILM.pixels, np.zeros((120, 100), bool)), 0.2, 0.6)
            return np.asarray(insertion_sheet(FILM, found, "Mass.", believable).convert("L"))
        spots = BlindSpots((Place((50, 60), "left"), Place((20, 60), "right")), (0.6, 0.1), 0.2)
        return np.asarray(blind_spot_sheet(FILM, spots, 0.5, "Mass.", believable).convert("L"))

    without, once = (sheet(words) for words in ("", DOUBT))
    assert once.shape == without.shape
    (rows,) = np.nonzero((once != without).any(axis=1))
    assert rows[0] > 0.5 * len(once) and np.ptp(rows) < 40  # one line, below the pictures
    assert (once[rows[0] : rows[-1] + 1] < 128).mean() > 0.02 and (without[rows] == 255).all()
