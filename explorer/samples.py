"""Real films to try, read from the installed package pydicom-data and never copied."""

from __future__ import annotations

import importlib.metadata
from dataclasses import dataclass

PACKAGE = "pydicom-data"


@dataclass(frozen=True, slots=True)
class Sample:
    """A film of the package: `name` and `hint` are what the page says of it."""

    key: str
    file: str
    name: str
    hint: str


SAMPLES = (
    Sample("masses", "RG1_UNCR.dcm", "Many lung masses", "chest film RG1, DICOM"),
    Sample("masses-jpeg2000", "RG1_J2KR.dcm", "The same film", "RG1, DICOM in JPEG 2000"),
    Sample("leg", "RG3_UNCR.dcm", "A lower leg", "RG3, DICOM; no model here was made for it"),
)


class NoSample(Exception):
    """A sample that cannot be had: `title` says what is wrong, `detail` what to do."""

    def __init__(self, title: str, detail: str) -> None:
        super().__init__(f"{title}. {detail}")
        self.title = title
        self.detail = detail


def sample_bytes(key: str) -> bytes:
    """The file of one of SAMPLES; raises NoSample."""
    file = next((sample.file for sample in SAMPLES if sample.key == key), None)
    if file is None:
        raise NoSample("There is no such sample", "Choose one of those on the page.")
    try:
        path = importlib.metadata.distribution(PACKAGE).locate_file(f"data_store/data/{file}")
        with open(str(path), "rb") as stream:
            return stream.read()
    except (importlib.metadata.PackageNotFoundError, OSError) as error:
        raise NoSample(
            f"The sample {file} is not installed", f"Install it with `pip install {PACKAGE}`, then choose it again."
        ) from error
