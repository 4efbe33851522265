"""Recognizes file formats by their first bytes; names and extensions are never used."""

from __future__ import annotations

from models.films.dicom_walker import looks_like_dicom
from models.films.film import SourceKind, UnreadableRadiograph

EXPORT = "Export the film as PNG, JPEG or DICOM and choose that file."
ADD_MODEL = "To add a model, choose Add next to Read by and enter the path of its file."
KERAS_ADVICE = (
    "Keras networks cannot be loaded here; import their scores with `python -m explorer ingest predictions`. Films "
    "must be PNG, JPEG or DICOM."
)
UNPACK = "Unpack it first and choose the file of the film inside."

FILM_SIGNATURES: tuple[tuple[bytes, SourceKind], ...] = (
    (b"\x89PNG\r\n\x1a\n", "png"),
    (b"\xff\xd8\xff", "jpeg"),
    (b"II*\0", "tiff"),
    (b"MM\0*", "tiff"),
)
OTHER_SIGNATURES = (  # offset, signature, description, remedy
    (0, b"%PDF-", "a PDF", "Export the film itself as PNG, JPEG or DICOM, not a report or a print of it."),
    (0, b"\x89HDF\r\n\x1a\n", "an HDF5 file, as written by Keras", KERAS_ADVICE),
    (30, b"metadata.json", "a Keras network", KERAS_ADVICE),
    (0, b"PK\x03\x04", "a ZIP archive or an office document", UNPACK),
    (0, b"PK\x05\x06", "an empty ZIP archive", UNPACK),
    (0, b"\x1f\x8b", "a gzip archive", UNPACK),
    (0, b"7z\xbc\xaf\x27\x1c", "a 7z archive", UNPACK),
    (0, b"Rar!", "a RAR archive", UNPACK),
    (0, b"BZh", "a bzip2 archive", UNPACK),
    (0, b"\xfd7zXZ\0", "an xz archive", UNPACK),
    (0, b"\x28\xb5\x2f\xfd", "a Zstandard archive", UNPACK),
    (257, b"ustar", "a tar archive", UNPACK),
    (0, b"GIF8", "a GIF image", EXPORT),
    (0, b"BM", "a BMP image", EXPORT),
    (8, b"WEBP", "a WebP image", EXPORT),
    (8, b"AVI ", "a video", "Choose a single film as PNG, JPEG or DICOM."),
    (4, b"ftyphei", "a HEIC photo", EXPORT),
    (4, b"ftyphev", "a HEIC photo", EXPORT),
    (4, b"ftypmif1", "a HEIC photo", EXPORT),
    (4, b"ftypavif", "an AVIF image", EXPORT),
    (4, b"ftyp", "a video", "Choose a single film as PNG, JPEG or DICOM."),
    (0, b"\x1aE\xdf\xa3", "a video", "Choose a single film as PNG, JPEG or DICOM."),
    (4, b"jP  \r\n", "a bare JPEG 2000 image", EXPORT),
    (0, b"\xff\x4f\xff\x51", "a bare JPEG 2000 image", EXPORT),
    (4, b"JXL \r\n", "a JPEG XL image", EXPORT),
    (0, b"II+\0", "a BigTIFF image", EXPORT),
    (0, b"MM\0+", "a BigTIFF image", EXPORT),
    (344, b"n+1\0", "a NIfTI volume", EXPORT),
    (0, b"\x93NUMPY", "a NumPy array", EXPORT),
    (0, b"\x7fELF", "a program", EXPORT),
    (0, b"MZ", "a program", EXPORT),
)
MARKUP = (b"<!doctype html", b"<html", b"<head", b"<body")


def file_kind(data: bytes) -> SourceKind:
    """Return a film's format. Raises UnreadableRadiograph for any other file and says what it is."""
    if not data:
        raise UnreadableRadiograph("The file is empty", "It has no bytes. Copy or export the film again.")
    if data[128:132] == b"DICM":
        return "dicom"
    for beginning, kind in FILM_SIGNATURES:
        if data.startswith(beginning):
            return kind
    if _is_weights(data):
        raise UnreadableRadiograph("This is a weights file, not a film", ADD_MODEL)
    for offset, beginning, what, remedy in OTHER_SIGNATURES:
        if data[offset : offset + len(beginning)] == beginning:
            raise UnreadableRadiograph(f"This is {what}, not a film", remedy)
    if looks_like_dicom(data):
        return "dicom"
    raise _text_or_unknown(data)


def _is_weights(data: bytes) -> bool:
    """Return whether the file was written by torch.save (either format) or safetensors."""
    torch_zip = data.startswith(b"PK") and b"/data.pkl" in data[30:300]
    return torch_zip or data.startswith(b"\x80\x02\x8a\nl\xfc\x9c") or data[4:10] == b'\0\0\0\0{"'


def _text_or_unknown(data: bytes) -> UnreadableRadiograph:
    start = data[:4096].lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    if start.startswith(MARKUP):
        return UnreadableRadiograph("This is a web page, not a film", "Save the image itself, not the page around it.")
    if start.startswith((b"<?xml", b"<svg")):
        return UnreadableRadiograph("This is an XML or SVG document, not a film", EXPORT)
    if b"\0" not in data[:4096] and _is_text(data[:4096]):
        return UnreadableRadiograph("This is a text file, not a film", EXPORT)
    return UnreadableRadiograph(
        "The file's format is unknown", f"It is not a DICOM, PNG, JPEG or TIFF, or its start is damaged. {EXPORT}"
    )


def _is_text(start: bytes) -> bool:
    printable = sum(byte >= 32 or byte in b"\t\r\n\f" for byte in start)
    return printable >= 0.97 * len(start)
