"""Recognizes network files of other libraries by name or first bytes and says what to do. Needs no torch."""

from __future__ import annotations

from pathlib import PurePath

from models.cards.card import UnusableModel

SCORES_INSTEAD = (
    "You can still import its scores: write them to a CSV file, one row per image and one column per finding, and run "
    "`python -m explorer ingest predictions` on it."
)
HDF5 = b"\x89HDF\r\n\x1a\n"
KERAS = "a Keras"
FOREIGN_ENDINGS = {
    ".h5": KERAS,
    ".hdf5": KERAS,
    ".keras": KERAS,
    ".pb": "a TensorFlow",
    ".tflite": "a TensorFlow Lite",
    ".onnx": "an ONNX",
    ".mlmodel": "a Core ML",
}


def foreign_weights(name: str, content: bytes = b"") -> UnusableModel | None:
    """Return the refusal of a file that another library wrote; None for any other file."""
    library = KERAS if content.startswith(HDF5) else FOREIGN_ENDINGS.get(PurePath(name).suffix.lower())
    if library is None:
        return None
    return UnusableModel(
        f"{PurePath(name).name[:80]} is {library} network",
        f"Only networks that timm can build, with torch or safetensors weights, can be loaded. {SCORES_INSTEAD}",
    )
