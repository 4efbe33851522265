"""Film files made for tests, byte by byte where they must be wrong."""

from __future__ import annotations

import struct
import zlib
from io import BytesIO
from pathlib import Path
from typing import Any

import data_store
import numpy as np
import pydicom
from numpy.typing import NDArray
from PIL import Image
from pydicom.dataelem import DataElement
from pydicom.dataset import Dataset, FileMetaDataset
from pydicom.uid import ExplicitVRLittleEndian

PACKAGED = Path(data_store.__file__).parent / "data"  # pydicom-data, as installed: nothing is downloaded
PYDICOM_FILES = Path(pydicom.__file__).parent / "data" / "test_files"


def synthetic_film(height: int = 96, width: int = 80) -> NDArray[np.uint8]:
    """A bright oblong on a ramp that uses every gray from 0 to 255."""
    film = np.linspace(0, 255, height * width).reshape(height, width)
    film[height // 4 : height // 2, width // 4 : width // 2] += 80
    return film.round().astype(np.uint8)


def dicom_dataset(stored: NDArray[Any], **attributes: object) -> Dataset:
    """A DX data set of `stored` (h, w) or (h, w, 3) with attributes by keyword; None leaves one out."""
    bits = 8 * stored.dtype.itemsize
    values: dict[str, object] = {
        "SOPClassUID": "1.2.840.10008.5.1.4.1.1.1.1",
        "SOPInstanceUID": "1.2.3.4",
        "Modality": "DX",
        "PatientName": "Roentgen^Anna Bertha",
        "PatientID": "HAND-1895",
        "SamplesPerPixel": 3 if stored.ndim == 3 else 1,
        "PhotometricInterpretation": "RGB" if stored.ndim == 3 else "MONOCHROME2",
        "Rows": stored.shape[0],
        "Columns": stored.shape[1],
        "BitsAllocated": bits,
        "BitsStored": bits,
        "HighBit": bits - 1,
        "PixelRepresentation": int(np.issubdtype(stored.dtype, np.signedinteger)),
        "WindowCenter": 2 ** (bits - 1),
        "WindowWidth": 2**bits,
        **({"PlanarConfiguration": 0} if stored.ndim == 3 else {}),
        **attributes,
    }
    dataset = Dataset()
    for keyword, value in values.items():
        if value is not None:
            setattr(dataset, keyword, value)
    dataset.add(DataElement("PixelData", "OB" if bits == 8 else "OW", _even(stored.tobytes())))
    return dataset


def _even(data: bytes) -> bytes:
    return data + bytes(len(data) % 2)


def dicom_bytes(dataset: Dataset, syntax: str = ExplicitVRLittleEndian, *, preamble: bool = True) -> bytes:
    """The file of a data set, with `DICM` and meta information or as bare elements."""
    file = BytesIO()
    if preamble:
        dataset.file_meta = FileMetaDataset()
        dataset.file_meta.TransferSyntaxUID = syntax
        dataset.save_as(file, enforce_file_format=True)
    else:
        uid = pydicom.uid.UID(syntax)
        dataset.save_as(file, implicit_vr=uid.is_implicit_VR, little_endian=uid.is_little_endian)
    return file.getvalue()


def compressed_dicom(dataset: Dataset, syntax: str) -> bytes:
    dataset.file_meta = FileMetaDataset()
    dataset.file_meta.TransferSyntaxUID = ExplicitVRLittleEndian
    dataset.compress(syntax, generate_instance_uid=False)
    file = BytesIO()
    dataset.save_as(file, enforce_file_format=True)
    return file.getvalue()


def encapsulated_dicom(dataset: Dataset, syntax: str, frame: bytes) -> bytes:
    """A data set whose pixel data are `frame` as it stands."""
    dataset.PixelData = pydicom.encaps.encapsulate([frame])
    dataset["PixelData"].is_undefined_length = True
    dataset["PixelData"].VR = "OB"
    return dicom_bytes(dataset, syntax)


def image_bytes(image: NDArray[Any] | Image.Image, kind: str, **options: Any) -> bytes:  # noqa: ANN401
    file = BytesIO()
    picture = image if isinstance(image, Image.Image) else Image.fromarray(image)
    picture.save(file, kind, **options)
    return file.getvalue()


def png_chunk(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">L", len(body)) + kind + body + struct.pack(">L", zlib.crc32(kind + body))


def png_header(width: int, height: int, bits: int = 8, color: int = 0) -> bytes:
    return png_chunk(b"IHDR", struct.pack(">LLBBBBB", width, height, bits, color, 0, 0, 0))


def insert_after_png_header(png: bytes, chunk: bytes) -> bytes:
    return png[:33] + chunk + png[33:]
