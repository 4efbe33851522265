"""Files of other libraries' networks, known by their names or first bytes, and the way out. Needs no torch."""

from __future__ import annotations

from pathlib import PurePath

from models.cards.card import UnusableModel

SCORES_INSTEAD = (
    "Its scores can be brought all the same: write them to a CSV file, one row an image and one column a finding, and "
    "give it to `python -m explorer ingest predictions`."
)
HDF5 = b"\x89HDF\r\n\x1a\n"
KERAS = "Keras"
ENDINGS = {
    ".h5": KERAS,
    ".hdf5": KERAS,
    ".keras": KERAS,
    ".pb": "TensorFlow",
    ".tflite": "TensorFlow Lite",
    ".onnx": "ONNX",
    ".mlmodel": "Core ML",
}


def foreign_weights(name: str, content: bytes = b"") -> UnusableModel | None:
    """Why a file of this name, or content, is not read where it is another library's; None for any other file."""
    library = KERAS if content.startswith(HDF5) else ENDINGS.get(PurePath(name).suffix.lower())
    if library is None:
        return None
    return UnusableModel(
        f"{PurePath(name).name[:80]} is a network of {library}",
        f"Only networks that timm can build, with weights of torch or safetensors, are read here. {SCORES_INSTEAD}",
    )
