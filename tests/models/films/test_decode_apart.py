"""The decoder that can end its process ends another one."""

from __future__ import annotations

import numpy as np
import pydicom
import pytest
from pydicom import uid

from models.films.decode_apart import DecoderFailed, decode_apart
from models.radiograph import UnreadableRadiograph, read_radiograph
from tests.models.films.film_files import PACKAGED, dicom_dataset, encapsulated_dicom, image_bytes, synthetic_film

OPTIONS = {
    "rows": 96,
    "columns": 80,
    "number_of_frames": 1,
    "samples_per_pixel": 1,
    "photometric_interpretation": "MONOCHROME2",
    "bits_allocated": 8,
    "bits_stored": 8,
    "pixel_representation": 0,
    "pixel_keyword": "PixelData",
}


def test_a_frame_decodes_as_in_this_process() -> None:
    dataset = pydicom.dcmread(PACKAGED / "JPEG-LL.dcm")
    frame = pydicom.encaps.get_frame(dataset.PixelData, 0, number_of_frames=1)
    options = OPTIONS | {"rows": 1024, "columns": 256, "bits_allocated": 16, "bits_stored": 16}
    options["pixel_representation"] = dataset.PixelRepresentation
    np.testing.assert_array_equal(
        decode_apart(uid.JPEGLosslessSV1, frame, options), dataset.pixel_array.reshape(1024, 256)
    )


def test_a_crash_of_the_decoder_is_an_exception_here() -> None:
    # A lossless film may not hold a baseline stream; GDCM throws where nothing catches, or refuses.
    frame = image_bytes(synthetic_film(), "JPEG")
    broken = frame.replace(b"\xff\xda\x00\x08\x01", b"\xff\xda\x00\x08\x07")
    with pytest.raises(DecoderFailed):
        decode_apart(uid.JPEGLosslessSV1, broken, OPTIONS)
    with pytest.raises(UnreadableRadiograph, match="cannot be decoded"):
        read_radiograph(encapsulated_dicom(dicom_dataset(synthetic_film()), uid.JPEGLosslessSV1, broken))
