"""A record to save, with a film that says too much and a map of random heat."""

from __future__ import annotations

import io
import zipfile
from dataclasses import dataclass

import numpy as np
import pydicom
from pydicom.dataset import Dataset

from explorer.analysis.exports.dicom.files import PICTURE_FILE, REPORT_FILE, dicom_zip
from explorer.analysis.exports.dicom.identity import ExportIdentity, export_identity
from explorer.analysis.exports.dicom.plate import Window
from explorer.analysis.exports.dicom.shown_map import ShownMap, shown_map
from explorer.analysis.exports.film_report import FilmReport, film_report
from explorer.reading.finding_list import finding_rows
from models.cards import classifier_card as cards
from models.cards.classifier_card import Card
from models.radiograph import Radiograph

CARD = cards.classifier_card("phantom")  # bands, findings it cannot judge, a fixed scale


@dataclass(frozen=True)
class Word:
    """A verdict."""

    readable: bool = True
    reason: str = "Frontal chest film."
    cautions: tuple[str, ...] = ()


@dataclass(frozen=True)
class Box:
    """A film of 160 x 128 px in a square input of 512 px."""

    size: int = 512
    inner: tuple[int, int] = (512, 410)
    offset: tuple[int, int] = (0, 51)


def some_film(height: int = 160, width: int = 128) -> Radiograph:
    return Radiograph.from_pixels(np.random.default_rng(5).random((height, width)))


def made(film: Radiograph | None = None, card: Card = CARD, verdict: Word | None = None) -> FilmReport:
    """Scores from 0.02 to 0.98, the first finding's the lowest."""
    rows = finding_rows(card, np.linspace(0.02, 0.98, len(card.findings), dtype=np.float32))
    return film_report(card, "cpu", film or some_film(), rows, verdict or Word())


def heat(finding: str = "Mass", card: Card = CARD) -> ShownMap:
    values = np.random.default_rng(7).random((12, 12)).astype(np.float32)
    return shown_map(finding, values, Box(), card)


def read_back(
    of: FilmReport, whose: ExportIdentity | None = None, shown: ShownMap | None = None, window: Window | None = None
) -> tuple[Dataset, Dataset]:
    """The two files of the ZIP, as pydicom reads them."""
    with zipfile.ZipFile(io.BytesIO(dicom_zip(of, whose or export_identity(), window or Window(), shown))) as packed:
        assert packed.namelist() == [PICTURE_FILE, REPORT_FILE]
        picture, report = (pydicom.dcmread(io.BytesIO(packed.read(name))) for name in (PICTURE_FILE, REPORT_FILE))
    return picture, report
