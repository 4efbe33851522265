"""One film through every kind of file, one score: what is cached and what is uploaded can be compared."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from models import load
from models.radiograph import read_radiograph
from tests.support.film_files import dicom_bytes, dicom_dataset, image_bytes

FILMS = ("00000150_002", "00000211_013", "00000468_040")


@pytest.mark.processor
@pytest.mark.shared
@pytest.mark.parametrize("name", FILMS)
def test_a_real_film_scores_the_same_in_every_container(shared: Path, name: str) -> None:
    with Image.open(shared / "data" / "nih_cxr14" / "original" / f"{name}.png") as image:
        stored = np.asarray(image.convert("L"))
    twelve = np.round(stored / 255 * 4095).astype(np.uint16)
    window = {"BitsStored": 12, "HighBit": 11, "WindowCenter": 2048, "WindowWidth": 4096}
    files = {
        "8-bit PNG": image_bytes(stored, "PNG"),
        "16-bit PNG": image_bytes(stored.astype(np.uint16) * 257, "PNG"),
        "MONOCHROME2": dicom_bytes(dicom_dataset(twelve, **window)),
        "MONOCHROME1": dicom_bytes(dicom_dataset(4095 - twelve, PhotometricInterpretation="MONOCHROME1", **window)),
    }
    model = load.classifier("nih-mini", "cpu")
    scores = dict(zip(files, model.score([read_radiograph(data) for data in files.values()]), strict=True))
    for kind, score in scores.items():
        assert np.abs(score - scores["8-bit PNG"]).max() < 0.01, kind
    assert np.ptp(scores["8-bit PNG"]) > 0.1, "scores that are all alike would agree whatever was read"
