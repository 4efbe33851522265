"""Some films of the cohort as arrays in one file, there whole or not at all."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch.nn.functional import adaptive_avg_pool2d

from explorer.simulator.film_png import png, rendered
from explorer.simulator.request import ABNORMAL, GLOBAL
from explorer.workshop.lab.mask_boxes import boxes_of
from models.classifier.letterbox import Letterbox
from models.radiograph import UnreadableRadiograph, read_radiograph
from models.whole_file import atomic_write

TOP = 65535
MASK_CELLS = 20  # a side


@dataclass(frozen=True, slots=True, eq=False)
class Pixels:
    """Films (n, size, size) as a model of this size reads them, and (n, wide, wide) with a margin to turn them in.

    `exact` counts to TOP, `wide` to 255. `boxes` (m, 6) are film, place of the finding in ABNORMAL, left, top, width
    and height; the last four are fractions of the film's sides. `masked` (m, 2) are film and place of a finding that
    lies somewhere, `masks` (m, MASK_CELLS, MASK_CELLS) the share of each cell of `wide` that it covers, to 255.
    """

    exact: NDArray[np.uint16]
    wide: NDArray[np.uint8]
    boxes: NDArray[np.float32]
    masked: NDArray[np.int64]
    masks: NDArray[np.uint8]

    @property
    def coarse(self) -> NDArray[np.uint8]:
        """The films of the model's size, counting to 255."""
        return np.rint(self.exact / (TOP / 255)).astype(np.uint8)


class Unrenderable(Exception):
    """A film that the simulator could not make."""


@dataclass(frozen=True, slots=True)
class Shard:
    """The films of some addresses, as a simulator of this `fingerprint` draws them `film_size` pixels a side.

    `size` is the side of the model's input.
    """

    path: Path
    addresses: tuple[str, ...]
    size: int
    film_size: int
    fingerprint: str

    def there(self) -> bool:
        """Whether the file holds these very films."""
        if not self.path.exists():
            return False
        with np.load(self.path) as file:
            return str(file["about"]) == self._about()

    def render(self) -> None:
        """Make the file. Each film goes the way of a film in the app: rendered, written as a PNG, read, letterboxed.

        Raises Unrenderable with the address of the first film that could not be made.
        """
        exact, wide, boxes, masked, covered = [], [], [], [], []
        for row, address in enumerate(self.addresses):
            try:
                film = read_radiograph(png(address, self.film_size)).pixels
                masks = rendered(address, self.film_size).masks
            except (ArithmeticError, LookupError, ValueError, UnreadableRadiograph) as error:
                raise Unrenderable(f"{address}: {error}") from error
            exact.append(_boxed(film, self.size, TOP))
            wide.append(_boxed(film, self.size * 9 // 8, 255))
            boxes += [(row, ABNORMAL.index(name), *sides) for name, *sides in boxes_of(masks)]
            local = [name for name, mask in masks.items() if name not in GLOBAL and mask.any()]
            masked += [(row, ABNORMAL.index(name)) for name in local]
            covered += [_cells(masks[name], self.size * 9 // 8) for name in local]
        with atomic_write(self.path) as partial, partial.open("wb") as file:
            np.savez(
                file,
                about=self._about(),
                exact=np.stack(exact).astype(np.uint16),
                wide=np.stack(wide).astype(np.uint8),
                boxes=np.array(boxes, dtype=np.float32).reshape(-1, 6),
                masked=np.array(masked, dtype=np.int64).reshape(-1, 2),
                masks=np.array(covered, dtype=np.uint8).reshape(-1, MASK_CELLS, MASK_CELLS),
            )

    def read(self) -> Pixels:
        """What the file holds."""
        with np.load(self.path) as file:
            return Pixels(file["exact"], file["wide"], file["boxes"], file["masked"], file["masks"])

    def _about(self) -> str:
        parts = (self.fingerprint, str(self.size), str(self.film_size), f"masks {MASK_CELLS}", *self.addresses)
        return "\n".join(parts)


def _cells(mask: NDArray[np.bool_], size: int) -> NDArray[np.uint8]:
    """The share of each cell that a mask covers, in the square that `wide` is."""
    shown = mask.astype(np.float32)
    boxed = Letterbox.of(shown, size).fit(torch.tensor(shown))
    shares = adaptive_avg_pool2d(boxed[None, None], MASK_CELLS)[0, 0] * 255
    counted: NDArray[np.uint8] = shares.round().clamp(0, 255).byte().numpy()
    return counted


def _boxed(film: NDArray[np.float32], size: int, top: int) -> NDArray[np.float32]:
    boxed = Letterbox.of(film, size).fit(torch.tensor(film)) * top
    counted: NDArray[np.float32] = boxed.round().clamp(0, top).numpy()
    return counted
