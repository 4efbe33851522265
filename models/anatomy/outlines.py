"""The outlines of a film's anatomy, and why they cannot be right. torch is imported when a film is outlined."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from models.array_types import Bools
from models.films.film import Radiograph


@dataclass(frozen=True, slots=True, eq=False)
class Anatomy(Mapping[str, Bools]):
    """Masks (h, w) by structure, on a film whose longer side may be reduced; "right" and "left" are the patient's.

    `wrong` says why the outlines cannot be right, as a sentence for readers; it is empty for plausible outlines.
    """

    masks: Mapping[str, Bools]
    wrong: str

    def __getitem__(self, name: str) -> Bools:
        return self.masks[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.masks)

    def __len__(self) -> int:
        return len(self.masks)

    @property
    def shape(self) -> tuple[int, int]:
        """Height and width of the masks."""
        height, width = next(iter(self.masks.values())).shape
        return height, width


def anatomy(radiograph: Radiograph) -> Anatomy:
    """Return the outlines of a frontal film. Raises UnusableModel if the weights are missing or altered.

    The caller checks that the film is frontal (`models.gate.judge`).
    """
    from models.anatomy.outliner import outline_network, outlined  # brings torch

    return outlined(outline_network(), radiograph)
