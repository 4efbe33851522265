"""Stores some films of the cohort as arrays in one file, atomically."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from scipy.ndimage import find_objects, label
from torch.nn.functional import adaptive_avg_pool2d

from explorer.simulator.film_png import render_film, simulated_png
from explorer.simulator.request import ABNORMAL, GLOBAL
from models.classifier.letterbox import Letterbox
from models.radiograph import UnreadableRadiograph, read_radiograph
from models.whole_file import atomic_write

MAX_BOXES = 4  # boxes per finding and film; a mask with more pieces gets a single box
MIN_PIECE_SHARE = 0.03  # fraction of the mask that a piece needs to get its own box


def mask_boxes(masks: Mapping[str, NDArray[np.bool_]]) -> Iterator[tuple[str, float, float, float, float]]:
    """Yield finding, left, top, width and height in fractions of the film's sides; skips global findings."""
    for finding, mask in masks.items():
        if finding in GLOBAL or not mask.any():
            continue
        pieces, count = label(mask)
        sizes = np.bincount(pieces.ravel())[1:]
        places = find_objects(pieces)
        large = [places[piece] for piece in range(count) if sizes[piece] >= MIN_PIECE_SHARE * mask.sum()]
        for rows, columns in large if len(large) <= MAX_BOXES else find_objects(mask.astype(np.uint8)):
            height, width = mask.shape
            yield (
                finding,
                columns.start / width,
                rows.start / height,
                (columns.stop - columns.start) / width,
                (rows.stop - rows.start) / height,
            )


MAX_PIXEL = 65535
MASK_CELLS = 20  # per side


@dataclass(frozen=True, slots=True, eq=False)
class RenderedPixels:
    """Films (n, size, size) at the model's input size, and (n, wide, wide) with a margin for rotation.

    `exact` ranges from 0 to TOP, `wide` from 0 to 255. `boxes` (m, 6) holds film, index of the finding in ABNORMAL,
    left, top, width and height; the last four are fractions of the film's sides. `masked` (m, 2) holds the film and the
    index of a finding with a site; `masks` (m, MASK_CELLS, MASK_CELLS) is the share of each cell of `wide` that this
    finding covers, from 0 to 255.
    """

    exact: NDArray[np.uint16]
    wide: NDArray[np.uint8]
    boxes: NDArray[np.float32]
    masked: NDArray[np.int64]
    masks: NDArray[np.uint8]

    @property
    def coarse(self) -> NDArray[np.uint8]:
        """The films at the model's input size, with values up to 255."""
        return np.rint(self.exact / (MAX_PIXEL / 255)).astype(np.uint8)


class RenderingError(Exception):
    """The simulator could not make a film."""


@dataclass(frozen=True, slots=True)
class Shard:
    """The films of some addresses, drawn with `film_size` pixels per side by a simulator with this `fingerprint`.

    `size` is the side of the model's input.
    """

    path: Path
    addresses: tuple[str, ...]
    size: int
    film_size: int
    fingerprint: str

    def is_current(self) -> bool:
        """Return whether the file contains exactly these films."""
        if not self.path.exists():
            return False
        with np.load(self.path) as file:
            return str(file["about"]) == self._description()

    def render(self) -> None:
        """Make the file. Each film is processed as in the app: rendered, written as a PNG, read, letterboxed.

        Raises Unrenderable with the address of the first film that could not be made.
        """
        exact, wide, boxes, masked, covered = [], [], [], [], []
        for row, address in enumerate(self.addresses):
            try:
                film = read_radiograph(simulated_png(address, self.film_size)).pixels
                masks = render_film(address, self.film_size).masks
            except (ArithmeticError, LookupError, ValueError, UnreadableRadiograph) as error:
                raise RenderingError(f"{address}: {error}") from error
            exact.append(_boxed(film, self.size, MAX_PIXEL))
            wide.append(_boxed(film, self.size * 9 // 8, 255))
            boxes += [(row, ABNORMAL.index(name), *sides) for name, *sides in mask_boxes(masks)]
            local = [name for name, mask in masks.items() if name not in GLOBAL and mask.any()]
            masked += [(row, ABNORMAL.index(name)) for name in local]
            covered += [_cells(masks[name], self.size * 9 // 8) for name in local]
        with atomic_write(self.path) as partial, partial.open("wb") as file:
            np.savez(
                file,
                about=self._description(),
                exact=np.stack(exact).astype(np.uint16),
                wide=np.stack(wide).astype(np.uint8),
                boxes=np.array(boxes, dtype=np.float32).reshape(-1, 6),
                masked=np.array(masked, dtype=np.int64).reshape(-1, 2),
                masks=np.array(covered, dtype=np.uint8).reshape(-1, MASK_CELLS, MASK_CELLS),
            )

    def read(self) -> RenderedPixels:
        """Return the content of the file."""
        with np.load(self.path) as file:
            return RenderedPixels(file["exact"], file["wide"], file["boxes"], file["masked"], file["masks"])

    def _description(self) -> str:
        parts = (self.fingerprint, str(self.size), str(self.film_size), f"masks {MASK_CELLS}", *self.addresses)
        return "\n".join(parts)


def _cells(mask: NDArray[np.bool_], size: int) -> NDArray[np.uint8]:
    """Return the share of each cell of the `wide` square that a mask covers."""
    shown = mask.astype(np.float32)
    boxed = Letterbox.of(shown, size).fit(torch.tensor(shown))
    shares = adaptive_avg_pool2d(boxed[None, None], MASK_CELLS)[0, 0] * 255
    counted: NDArray[np.uint8] = shares.round().clamp(0, 255).byte().numpy()
    return counted


def _boxed(film: NDArray[np.float32], size: int, top: int) -> NDArray[np.float32]:
    boxed = Letterbox.of(film, size).fit(torch.tensor(film)) * top
    counted: NDArray[np.float32] = boxed.round().clamp(0, top).numpy()
    return counted
