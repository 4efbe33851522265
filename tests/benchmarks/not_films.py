"""Images that are no frontal chest films: pictures of installed packages, slices, pages, charts, patterns, noise."""

from __future__ import annotations

import importlib.resources
import warnings
from collections.abc import Iterator
from io import BytesIO
from itertools import chain
from pathlib import Path

import matplotlib
import numpy as np
from matplotlib.figure import Figure
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont
from pydicom import dcmread
from scipy.ndimage import gaussian_filter

from models.radiograph import Radiograph, UnreadableRadiograph, read_radiograph

Array = NDArray[np.float32]
PICTURE_FOLDERS = ("sklearn", "matplotlib", "gradio")
DICOM_FOLDERS = ("pydicom", "data_store")
SLICES = ("CT", "MR", "US", "OT", "SC", "RTIMAGE", "NM", "PT", "XA")
LEAST_SIDE = 64


def pictures() -> list[bytes]:
    """Photographs and drawings that installed packages bring along, as files."""
    found = chain.from_iterable(_files(folder, "*.jpg", "*.jpeg", "*.png") for folder in PICTURE_FOLDERS)
    return [path.read_bytes() for path in found if path.stat().st_size > 8000]


def readable(files: list[bytes]) -> Iterator[Radiograph]:
    """The films that the files are read as, those left out that cannot be."""
    for data in files:
        try:
            yield read_radiograph(data)
        except UnreadableRadiograph:
            continue


def grey(film: Radiograph) -> Radiograph:
    """The picture of a film alone, as if stored in gray and without a header."""
    return Radiograph.from_pixels(film.pixels)


def slices() -> Iterator[Radiograph]:
    """CT, MR and ultrasound images of pydicom and pydicom-data, one for every different picture, without a header."""
    seen = set()
    for path in chain.from_iterable(_files(folder, "*.dcm") for folder in DICOM_FOLDERS):
        header = dcmread(path, force=True, stop_before_pixels=True)
        if header.get("Modality") not in SLICES or min(header.get("Rows", 0), header.get("Columns", 0)) < LEAST_SIDE:
            continue
        image = _first_picture(path)
        if image is None:
            continue
        low, high = np.percentile(image, (0.5, 99.5))
        shades = np.clip((image - low) / max(high - low, 1e-6), 0, 1)
        kind = (header.get("Modality"), shades.shape, round(float(shades.mean()), 2))
        if shades.std() > 0.02 and kind not in seen:
            seen.add(kind)
            yield Radiograph.from_pixels(shades)


def pages(count: int) -> Iterator[Radiograph]:
    """Printed text, black on white or white on black, of many sizes."""
    rng = np.random.default_rng(0)
    font_file = Path(matplotlib.get_data_path()) / "fonts" / "ttf" / "DejaVuSans.ttf"
    words = "no acute finding the heart and lungs are stable since prior film of chest tube in place".split()
    for _ in range(count):
        width, height = (int(side) for side in rng.integers(500, 1700, 2))
        paper, ink = (20, 230) if rng.random() < 0.3 else (int(rng.integers(235, 256)), int(rng.integers(0, 60)))
        image = Image.new("L", (width, height), paper)
        draw, size = ImageDraw.Draw(image), int(rng.integers(13, 34))
        font = ImageFont.truetype(str(font_file), size)
        for row in range(40, height - 40, int(1.6 * size)):
            line = " ".join(rng.choice(words, int(rng.integers(2, 2 + width // (4 * size)))))
            draw.text((40, row), line, fill=ink, font=font)
        yield Radiograph.from_pixels(np.asarray(image) / 255)


def charts(count: int) -> Iterator[Radiograph]:
    """Plots as a report or a paper has them."""
    rng = np.random.default_rng(0)
    for number in range(count):
        figure = Figure(figsize=(5 + number % 3, 4 + number % 2), facecolor="white" if number % 3 else "black")
        axes = figure.add_subplot()
        kinds = (
            lambda axes: axes.plot(rng.normal(size=(100, 3)).cumsum(0)),
            lambda axes: axes.bar(range(8), rng.random(8)),
            lambda axes: axes.scatter(*rng.normal(size=(2, 300))),
            lambda axes: axes.hist(rng.normal(size=1000), 30),
            lambda axes: axes.imshow(rng.random((12, 12)), cmap="gray"),
        )
        kinds[number % len(kinds)](axes)
        stream = BytesIO()
        figure.savefig(stream, format="png")
        yield grey(read_radiograph(stream.getvalue()))


def patterns(count: int) -> Iterator[Radiograph]:
    """Gradients, checks, stripes, blobs, clouds, ellipses: `count` of each."""
    rng = np.random.default_rng(0)
    side = 256
    y, x = np.indices((side, side)) / side
    frequency = np.hypot(*np.meshgrid(np.fft.fftfreq(side), np.fft.fftfreq(side)))
    frequency[0, 0] = 1
    for _ in range(count):
        number, angle = int(rng.integers(3, 20)), rng.uniform(0, 2 * np.pi)
        across = x * np.cos(angle) + y * np.sin(angle)
        yield _scaled(across)
        yield _scaled(np.sin(2 * np.pi * number * across))
        yield _scaled(((x * number).astype(int) + (y * number).astype(int)) % 2)
        yield _scaled(gaussian_filter(rng.random((side, side)), rng.uniform(3, 20)))
        spectrum = np.fft.fft2(rng.normal(size=(side, side))) / frequency ** rng.uniform(1, 2.5)
        yield _scaled(np.fft.ifft2(spectrum).real)
        shades = np.zeros((side, side))
        for _ in range(12):
            (row, column), (height, width) = rng.random(2), rng.uniform(0.05, 0.3, 2)
            shades[((y - row) / height) ** 2 + ((x - column) / width) ** 2 < 1] = rng.random()
        yield _scaled(shades)


def noises(count: int) -> Iterator[Radiograph]:
    """Noise of several kinds and sizes, `count` of each."""
    rng = np.random.default_rng(0)
    for _ in range(count):
        shape = tuple(rng.integers(64, 1200, 2))
        yield Radiograph.from_pixels(rng.random(shape))
        yield Radiograph.from_pixels(rng.normal(0.5, rng.uniform(0.05, 0.2), shape).clip(0, 1))
        yield Radiograph.from_pixels(rng.choice([0.0, 0.5, 1.0], shape))


def blanks(count: int) -> Iterator[Radiograph]:
    """Nothing but a little grain or a speck, `count` of each."""
    rng = np.random.default_rng(0)
    for _ in range(count):
        grain = rng.normal(rng.random(), 0.005, (400, 300)).clip(0, 1)
        yield Radiograph.from_pixels(grain)
        grain[20:40, 20:40] = rng.random()
        yield Radiograph.from_pixels(grain)


def _first_picture(path: Path) -> Array | None:
    """The picture of a DICOM file, the first of several, colors averaged; None where it cannot be decoded."""
    try:
        with warnings.catch_warnings():  # many of these files are there to test what a reader warns of
            warnings.simplefilter("ignore", UserWarning)
            image = dcmread(path, force=True).pixel_array.astype(np.float32)
    except (AttributeError, RuntimeError, ValueError, NotImplementedError, EOFError):
        return None
    while image.ndim > 2:
        image = image.mean(-1) if image.shape[-1] in (3, 4) else image[0]
    return image


def _scaled(image: NDArray[np.floating]) -> Radiograph:
    return Radiograph.from_pixels((image - image.min()) / np.ptp(image))


def _files(package: str, *patterns: str) -> list[Path]:
    folder = Path(str(importlib.resources.files(package)))
    return sorted(path for pattern in patterns for path in folder.rglob(pattern))
