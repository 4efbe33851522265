"""Which tensors a file of torch.save has and where in the file their numbers are; nothing in it is run, none is made.

Both containers are read, the ZIP file of torch 1.6 and the one before it, and in them a plain state dict, one in a
checkpoint, or that of a whole pickled model: see `models.cards.network_pickle`. Needs no torch.
"""

from __future__ import annotations

import io
import sys
import zipfile
from collections.abc import Callable
from dataclasses import dataclass

from models.cards.named_losses import named_losses
from models.cards.network_pickle import (
    BYTES,
    LONGEST_NAME,
    MOST_TENSORS,
    NetworkUnpickler,
    Place,
    StandIn,
    is_network,
    state_of_network,
)

MAGIC = 0x1950A86A20F9469CFC6C  # the first pickle of a file of torch before 1.6
PROTOCOL = 1001
LOCAL_HEADER = 30  # bytes of a ZIP entry before its name
# Where checkpoints keep the state dict, the first that is there: averages over training (EMA) are what is evaluated.
AVERAGED = ("state_dict_ema", "ema_state_dict", "model_ema", "ema_model", "model_ema_state_dict", "ema")
WRAPPERS = (
    *AVERAGED,
    "state_dict",
    "model_state_dict",
    "model",
    "module",
    "net",
    "network",
    "teacher",
    "student",
)


@dataclass(frozen=True, slots=True)
class Listing:
    """The tensors of a file; of several sets of weights, which one they are and what the others are called."""

    tensors: list[Listed]
    taken: str = ""
    beside: tuple[str, ...] = ()
    losses: tuple[str, ...] = ()  # by name: what the network was trained with


@dataclass(frozen=True, slots=True)
class Listed:
    """One tensor: its numbers are a view into `count` numbers of the file from byte `start`."""

    name: str
    dtype: str
    start: int
    count: int
    offset: int
    size: tuple[int, ...]
    stride: tuple[int, ...]


def listed(content: bytes, wanted: str = "") -> Listing:
    """The tensors of a file with this content; `wanted` names one of several sets of weights.

    Raises ForeignName, ValueError, and what pickle and zipfile raise.
    """
    held, start_of, losses = _of_zip(content) if content[:4] == b"PK\x03\x04" else _of_legacy(content)
    state, taken, beside = _state(held, wanted)
    if len(state) > MOST_TENSORS or any(len(name) > LONGEST_NAME for name in state):
        raise ValueError(f"its {len(state):,} tensors are more than a network has, or have longer names")
    tensors = [
        Listed(name, each.dtype, start_of(each.key), each.count, each.offset, each.size, each.stride)
        for name, each in state.items()
    ]
    return Listing(tensors, taken, beside, tuple(sorted(losses | named_losses(held))))


_Held = tuple[object, Callable[[str], int], set[str]]  # what a file holds, where its storages begin, losses it names


class _Storages:
    """The storages that a pickle names; together they are a part of the file."""

    def __init__(self, most: int) -> None:
        self._most = most
        self.named: dict[str, Place] = {}

    def flat(self, key: str, dtype: str, count: int, view: object) -> Place:
        if key not in self.named:
            self._most -= count * BYTES.get(dtype, 1)
            if count < 0 or self._most < 0:
                raise ValueError("it is not whole: more numbers are announced than there are")
            self.named[key] = Place(key, dtype, count, 0, (count,), (1,))
        whole = self.named[key]
        match view:
            case (_, int() as start, int() as length):
                return Place(key, whole.dtype, whole.count, start, (length,), (1,))
        return whole

    def bytes_of(self, key: str) -> int:
        """How long a storage is."""
        return self.named[key].count * BYTES.get(self.named[key].dtype, 1)


def _of_legacy(content: bytes) -> _Held:
    """Here the storages follow the pickles, each behind the count of its numbers."""
    file = io.BytesIO(content)
    storages = _Storages(len(content))
    if NetworkUnpickler(file, storages).load() != MAGIC:
        raise ValueError("it is neither a ZIP file of torch nor one of torch before 1.6")
    if NetworkUnpickler(file, storages).load() != PROTOCOL:
        raise ValueError("its version is not known")
    machine = NetworkUnpickler(file, storages).load()
    if not isinstance(machine, dict) or machine.get("little_endian") is not True:
        raise ValueError("it was written on a machine whose numbers are stored the other way round")
    unpickler = NetworkUnpickler(file, storages)
    held = unpickler.load()
    keys = NetworkUnpickler(file, storages).load()
    if not isinstance(keys, list) or not set(keys) <= storages.named.keys():
        raise ValueError("its list of storages is not right")
    starts: dict[str, int] = {}
    for key in keys:
        count = int.from_bytes(file.read(8), "little", signed=True)
        starts[key] = file.tell()
        file.seek(storages.bytes_of(key), io.SEEK_CUR)
        if count != storages.named[key].count or file.tell() > len(content):
            raise ValueError("it is not whole: numbers are missing at its end")
    return held, starts.__getitem__, unpickler.losses


def _of_zip(content: bytes) -> _Held:
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
        storages = _Storages(len(content))
        unpickler = NetworkUnpickler(io.BytesIO(archive.read(pickles[0])), storages)
        held = unpickler.load()
        starts = {key: _start(archive, content, f"{root}data/{key}", storages.bytes_of(key)) for key in storages.named}
    return held, starts.__getitem__, unpickler.losses


def _start(archive: zipfile.ZipFile, content: bytes, name: str, length: int) -> int:
    """Where a stored entry's bytes begin in the file; its check sum is compared."""
    info = archive.getinfo(name)
    if info.file_size != length or len(archive.read(info)) != length:
        raise ValueError("it is not whole: numbers are missing in it")
    header = content[info.header_offset : info.header_offset + LOCAL_HEADER]
    return info.header_offset + LOCAL_HEADER + sum(int.from_bytes(header[at : at + 2], "little") for at in (26, 28))


def _state(held: object, wanted: str) -> tuple[dict[str, Place], str, tuple[str, ...]]:
    """The state dict of what a file holds, or of what one of its wrappers holds; which one, and which are beside it."""
    taken = ""
    beside: tuple[str, ...] = ()
    for _ in range(4):
        if is_network(held):
            assert isinstance(held, StandIn)
            return state_of_network(held), taken, beside
        if not isinstance(held, dict):
            break
        tensors = {str(name): value for name, value in held.items() if isinstance(value, Place)}
        sets = [key for key in WRAPPERS if isinstance(held.get(key), dict) or is_network(held.get(key))]
        if not sets or len(tensors) > 8:
            if tensors:
                return tensors, taken, beside
            break
        chosen = wanted if wanted in sets else sets[0]
        if len(sets) > 1:
            taken, beside = chosen, tuple(key for key in sets if key != chosen)
        held = held[chosen]
    if isinstance(held, dict) and any(type(value).__name__ == "_reconstruct" for value in held.values()):
        raise ValueError(
            "its weights are arrays of NumPy: write them by safetensors.numpy.save_file(arrays, 'model.safetensors') "
            "and give that file"
        )
    raise ValueError("there is no state dict in it")
