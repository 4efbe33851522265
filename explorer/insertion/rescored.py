"""What a model says of a film with a simulated finding, and without it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from explorer.insertion.insertion import Inserted, Insertion, Lungs, insert
from models.anatomy import Anatomy
from models.array_types import Float32
from models.radiograph import Radiograph

Score = Callable[[Sequence[Radiograph]], Float32]  # films -> scores (n,) of one finding


@dataclass(frozen=True, slots=True)
class Rescored:
    """A film with a finding, and the score of its finding with it and without."""

    inserted: Inserted
    without: float
    score: float


def rescored(film: Radiograph, outlines: Anatomy, wanted: Insertion, score: Score) -> Rescored:
    """Return a film with a finding and both scores. Raises NoLungs, NoLung, NoContrast, NotInsertable."""
    inserted = insert(film.pixels, Lungs.outlined(outlines, film), wanted)
    without, found = score([film, replace(film, pixels=inserted.film)])
    return Rescored(inserted, float(without), float(found))
