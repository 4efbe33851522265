"""Draws contact sheets for judging findings: obvious, subtle, twin, outline and difference."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw
from scipy.ndimage import binary_erosion

from explorer.simulator.render import render
from explorer.simulator.request import ABNORMAL, Center, Request

_BAR = 16  # px for the text above a film
_GAIN = 2.0  # amplification of the difference from the twin


def contact_sheet(
    names: Sequence[str] = ABNORMAL, size: int = 256, seed: int = 0, center: Center | None = None
) -> Image.Image:
    """Return a row per finding: severity 1, severity 0.3, twin, severity 1's outline and its difference from the twin.

    Gray in the difference means no change. Centers alternate.
    """
    rows = []
    for number, name in enumerate(names):
        at: Center = center or ("A" if number % 2 == 0 else "B")
        obvious, masks = render(seed + number, [Request(name, severity=1.0)], at, size)
        subtle, _ = render(seed + number, [Request(name, severity=0.3)], at, size)
        twin, _ = render(seed + number, [], at, size)
        where = f"{at} {seed + number}"
        words = (f"{name} 1.0", f"0.3  {where}", "twin", "outline", "less its twin")
        changed = (0.5 + _GAIN * (obvious - twin)).clip(0, 1)
        films = (_gray(obvious), _gray(subtle), _gray(twin), _add_outlines(obvious, masks[name]), _gray(changed))
        rows.append(np.hstack([_add_title(film, word) for film, word in zip(films, words, strict=True)]))
    return Image.fromarray(np.vstack(rows))


def save_sheets(folder: Path, size: int, seed: int, names: Sequence[str] = ABNORMAL, rows: int = 6) -> list[Path]:
    """Save the sheets as PNG files with a few findings each, so that one fits on a screen."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = []
    for start in range(0, len(names), rows):
        path = folder / f"sheet-{start // rows + 1}.png"
        contact_sheet(names[start : start + rows], size, seed + start).save(path)
        paths.append(path)
    return paths


def _gray(film: NDArray[np.float32]) -> NDArray[np.uint8]:
    return np.repeat((film * 255 + 0.5).astype(np.uint8)[..., None], 3, -1)


def _add_outlines(film: NDArray[np.float32], mask: NDArray[np.bool_]) -> NDArray[np.uint8]:
    drawn = _gray(film)
    drawn[mask & ~binary_erosion(mask)] = (255, 176, 0)
    return drawn


def _add_title(film: NDArray[np.uint8], words: str) -> NDArray[np.uint8]:
    titled = Image.new("RGB", (film.shape[1], film.shape[0] + _BAR))
    titled.paste(Image.fromarray(film), (0, _BAR))
    ImageDraw.Draw(titled).text((3, 2), f"SIMULATED {words}", fill=(220, 220, 220))
    return np.asarray(titled)
