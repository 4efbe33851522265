"""The types of this package: a film that was read, and the refusal of one that was not."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from models.refusal import Refusal

View = Literal["PA", "AP", "lateral", "unknown"]
SpacingPlane = Literal["detector", "patient"]
Sides = Literal["stated", "assumed"]
Provenance = Literal["real", "simulated"]
SourceKind = Literal["dicom", "png", "jpeg", "tiff", "memory"]

MAX_SAMPLES = 100_000_000  # values of up to 16 bits; decoded, they take at most half a gigabyte
MIN_SIDE = 32


class UnreadableRadiograph(Refusal):
    """The bytes are not a film that can be read here.

    `title` says what is wrong, `detail` gives the cause and the remedy. Neither quotes the file name or free text from
    the header, only numbers and words of the standard.
    """


class DamagedData(Exception):
    """The data end or break off inside a picture; each reader in this package turns this error into a refusal."""


@dataclass(frozen=True, slots=True, eq=False)
class Radiograph:
    """A film as every model of this project sees it.

    `pixels` is float32 (h, w) in [0, 1], air dark and bone bright, read-only. `spacing_mm` is (row, column) in mm at
    `spacing_at`. `colorfulness` in [0, 1] is 0 for a gray film. `original_size` is (height, width) as stored, before an
    EXIF rotation. `sha256` is the hash of the file's bytes. `body_part` is the only header text that is kept. `sides`
    is "stated" if the file says which side is which, as simulated films that name their view always do; the patient's
    right is then on the left of the image. Otherwise it is "assumed". `simulated` films show no patient, according to
    their file or the program that made them; `mark` is the file's own statement of this, or empty. `study` is the
    `study_token` of the DICOM study, None if the file names none: it is only compared with another film's, never shown,
    stored or sent.
    """

    pixels: NDArray[np.float32]
    view: View
    spacing_mm: tuple[float, float] | None
    spacing_at: SpacingPlane | None
    colorfulness: float
    body_part: str | None
    source_kind: SourceKind
    original_size: tuple[int, int]
    notes: tuple[str, ...]
    sha256: str
    sides: Sides = "assumed"
    simulated: bool = False
    mark: str = ""
    study: str | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        self.pixels.flags.writeable = False

    @classmethod
    def from_pixels(
        cls,
        pixels: ArrayLike,
        *,
        view: View = "unknown",
        spacing_mm: tuple[float, float] | None = None,
        spacing_at: SpacingPlane | None = None,
        body_part: str | None = None,
        notes: tuple[str, ...] = (),
        simulated: bool = False,
    ) -> Radiograph:
        """Make a film from pixels (h, w) in [0, 1], air dark; they are copied.

        Raises ValueError if they are not two-dimensional, finite and in range.
        """
        film = np.array(pixels, dtype=np.float32, order="C")
        if film.ndim != 2 or film.size == 0:
            raise ValueError(f"A film must be a non-empty array (h, w), but this one has the shape {film.shape}.")
        if not (film.min() >= 0 and film.max() <= 1):  # also refuses NaN
            raise ValueError("A film's pixels must be finite and in [0, 1]; scale them first.")
        height, width = film.shape
        return cls(
            pixels=film,
            view=view,
            spacing_mm=spacing_mm,
            spacing_at=spacing_at,
            colorfulness=0.0,
            body_part=body_part,
            source_kind="memory",
            original_size=(height, width),
            notes=notes,
            sha256=hashlib.sha256(film.tobytes()).hexdigest(),
            simulated=simulated,
        )


@dataclass(frozen=True, slots=True)
class Undecoded:
    """A film file of `size` (height, width) whose pixels have not been decoded.

    Call `decode` once to get the film; it raises UnreadableRadiograph.
    """

    size: tuple[int, int]
    decode: Callable[[], Radiograph]


def check_size(height: int, width: int, samples: int = 1) -> None:
    """Raise UnreadableRadiograph for a size that films do not have; call it before decoding.

    `samples` is the number of values of up to 16 bits per decoded pixel.
    """
    most = MAX_SAMPLES // samples
    if height * width > most:
        raise UnreadableRadiograph(
            "The image is too large",
            f"It claims {height} x {width} pixels; the limit is {most // 1_000_000} megapixels for this kind of image. "
            + ("Export it at a lower resolution." if samples == 1 else "Export it in 8- or 16-bit gray."),
        )
    if min(height, width) < MIN_SIDE:
        raise UnreadableRadiograph(
            "The image is too small",
            f"It has {height} x {width} pixels; a film needs at least {MIN_SIDE} per side. Export it at full size.",
        )
