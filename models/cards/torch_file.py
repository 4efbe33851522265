"""The state dict in a file of torch.save: a plain one, one in a checkpoint, or that of a whole pickled model.

Both containers are read, the ZIP file of torch 1.6 and the one before it, and nothing in them is run: see
`models.cards.network_pickle`.
"""

from __future__ import annotations

import io
import pickle
import sys
import zipfile
from typing import Any

import torch
from torch import Tensor

from models.cards.card import UnusableModel
from models.cards.network_pickle import ForeignName, NetworkUnpickler, StandIn, is_network, state_of_network

SUFFIXES = (".pt", ".pth", ".bin", ".ckpt", ".tar")
MAGIC = 0x1950A86A20F9469CFC6C  # the first pickle of a file of torch before 1.6
PROTOCOL = 1001
# Where checkpoints keep the state dict, the first that is there.
WRAPPERS = ("state_dict", "model_state_dict", "model", "module", "net", "network", "teacher", "student")

_DAMAGED = (
    pickle.UnpicklingError,
    zipfile.BadZipFile,
    EOFError,
    ValueError,  # and UnicodeDecodeError
    TypeError,
    AttributeError,
    IndexError,
    KeyError,
    OverflowError,
    MemoryError,
    RecursionError,
    RuntimeError,  # a tensor that does not lie inside its storage
    NotImplementedError,
)


def state_dict_of(name: str, content: bytes) -> dict[str, Tensor]:
    """The tensors by name of the file `name` with this content. Raises UnusableModel, with the reason in words."""
    try:
        return _state(_unpickled(content))
    except ForeignName as foreign:
        raise UnusableModel(
            f"{name} is not read: it asks for {foreign.name[:120]}, which is no part of a network",
            "A file can hide a program there; none of it was run. Use it only from a source you trust: there load it "
            "and write its state_dict() with safetensors.torch.save_file, then give that file.",
        ) from foreign
    except _DAMAGED as error:
        said = str(error).strip().splitlines()
        raise UnusableModel(
            f"{name} is no weights file that can be read here",
            f"{(said[0] if said else type(error).__name__)[:200].rstrip('.')}. It must be a state dict, a checkpoint "
            "that holds one, or a whole torch model, written by torch.save; or a safetensors file.",
        ) from error


def _unpickled(content: bytes) -> object:
    if content[:4] == b"PK\x03\x04":
        return _of_zip(content)
    file = io.BytesIO(content)
    storages = _Legacy(len(content))
    if NetworkUnpickler(file, storages).load() != MAGIC:
        raise ValueError("it is neither a ZIP file of torch nor one of torch before 1.6")
    if NetworkUnpickler(file, storages).load() != PROTOCOL:
        raise ValueError("its version is not known")
    machine = NetworkUnpickler(file, storages).load()
    if not isinstance(machine, dict) or machine.get("little_endian") is not True:
        raise ValueError("it was written on a machine whose numbers are stored the other way round")
    held = NetworkUnpickler(file, storages).load()
    keys = NetworkUnpickler(file, storages).load()
    storages.fill(file, keys)
    return held


class _Legacy:
    """Storages of a file before torch 1.6: they follow the pickle, and are filled once it has been read."""

    def __init__(self, most: int) -> None:
        self._most = most  # bytes in the file, of which all storages together are a part
        self._flat: dict[str, Tensor] = {}

    def flat(self, key: str, dtype: torch.dtype, count: int, view: object) -> Tensor:
        if key not in self._flat:
            self._most -= count * dtype.itemsize
            if count < 0 or self._most < 0:
                raise ValueError("it is not whole: more numbers are announced than there are")
            self._flat[key] = torch.zeros(count, dtype=dtype)
        match view:
            case (_, int() as start, int() as length):
                return self._flat[key].narrow(0, start, length)
        return self._flat[key]

    def fill(self, file: io.BytesIO, keys: object) -> None:
        if not isinstance(keys, list) or not set(keys) <= self._flat.keys():
            raise ValueError("its list of storages is not right")
        for key in keys:
            flat = self._flat[key]
            count = int.from_bytes(file.read(8), "little", signed=True)
            data = file.read(flat.numel() * flat.itemsize)
            if count != flat.numel() or len(data) != flat.numel() * flat.itemsize:
                raise ValueError("it is not whole: numbers are missing at its end")
            if count:
                flat.copy_(torch.frombuffer(bytearray(data), dtype=flat.dtype))


def _of_zip(content: bytes) -> object:
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        names = archive.namelist()
        if any(name.endswith("/constants.pkl") for name in names):
            raise ValueError("it is a TorchScript program, which is not run")
        pickles = [name for name in names if name.endswith("data.pkl")]
        if len(pickles) != 1:
            raise ValueError("it is a ZIP file, but none of torch.save")
        if any(each.compress_type != zipfile.ZIP_STORED for each in archive.infolist()):
            raise ValueError("it is compressed, as torch.save never does")
        root = pickles[0].removesuffix("data.pkl")
        order = archive.read(f"{root}byteorder") if f"{root}byteorder" in names else b"little"
        if order != sys.byteorder.encode():
            raise ValueError("it was written on a machine whose numbers are stored the other way round")
        return NetworkUnpickler(io.BytesIO(archive.read(pickles[0])), _Zipped(archive, root)).load()


class _Zipped:
    """Storages of a ZIP file, each read when it is first named."""

    def __init__(self, archive: zipfile.ZipFile, root: str) -> None:
        self._archive = archive
        self._root = root
        self._flat: dict[str, Tensor] = {}

    def flat(self, key: str, dtype: torch.dtype, count: int, view: object) -> Tensor:
        if key not in self._flat:
            data = self._archive.read(f"{self._root}data/{key}")
            if len(data) != count * dtype.itemsize:
                raise ValueError("it is not whole: numbers are missing in it")
            flat = torch.frombuffer(bytearray(data), dtype=dtype) if count else torch.empty(0, dtype=dtype)
            self._flat[key] = flat
        return self._flat[key]


def _state(held: object) -> dict[str, Tensor]:
    """The state dict of what a file holds, or of what one of its wrappers holds."""
    for _ in range(4):
        if is_network(held):
            assert isinstance(held, StandIn)
            return state_of_network(held)
        if not isinstance(held, dict):
            raise ValueError("there is no state dict in it")
        tensors = {str(name): value for name, value in held.items() if isinstance(value, Tensor)}
        inner: Any = next((held[key] for key in WRAPPERS if key in held and not isinstance(held[key], Tensor)), None)
        if inner is None or len(tensors) > 8:
            break
        held = inner
    if not tensors:
        raise ValueError("there is no state dict in it")
    return tensors
