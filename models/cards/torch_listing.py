"""Lists the tensors of a torch.save file and the location of their numbers, without running or building anything.

Reads both containers, the ZIP file of torch 1.6 and the older one. In them, the state dict may be bare, inside a
checkpoint, or inside a whole pickled model (see `models.cards.network_pickle`). Needs no torch.
"""

from __future__ import annotations

import io
import re
import sys
import zipfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from models.cards.network_pickle import (
    DTYPE_BYTES,
    MAX_TENSOR_NAME_CHARS,
    MAX_TENSORS,
    NetworkUnpickler,
    StandIn,
    TensorView,
    is_network,
    state_of_network,
)

# Keys that name a loss; if the value is a number, it is the loss's value and is ignored.
_LOSS_KEY = re.compile(r"(^|[_.])(loss|criterion|objective)([_.]?(fn|func|function|type|name|class))?$", re.IGNORECASE)
# Keys within a loss table.
_LOSS_TABLE_KEYS = frozenset({"name", "type", "_target_", "target", "class_name", "class_path"})
MAX_SETTINGS_DEPTH = 5
MAX_SETTINGS = 20_000  # settings searched at most
MAX_LOSS_NAME_CHARS = 80  # characters of a loss name


def named_losses(held: object) -> set[str]:
    """Return the loss names as written in `held`, the content of a checkpoint."""
    found: set[str] = set()
    waiting: list[tuple[object, int, bool]] = [(held, 0, False)]
    for _ in range(MAX_SETTINGS):
        if not waiting:
            break
        value, depth, of_loss = waiting.pop()
        for key, inner in _settings(value):
            here = bool(_LOSS_KEY.search(key)) or (of_loss and key in _LOSS_TABLE_KEYS)
            if here and isinstance(inner, str) and 0 < len(inner) <= MAX_LOSS_NAME_CHARS and inner.isprintable():
                found.add(inner)
            elif depth < MAX_SETTINGS_DEPTH and isinstance(inner, Mapping | StandIn):
                waiting.append((inner, depth + 1, here))
    return found


def _settings(value: object) -> Iterator[tuple[str, object]]:
    """Yield the entries of a table, or of an object that holds settings."""
    table = value.state if isinstance(value, StandIn) else value
    if isinstance(table, Mapping):
        yield from ((key, inner) for key, inner in table.items() if isinstance(key, str))


MAGIC = 0x1950A86A20F9469CFC6C  # first pickle of a file from before torch 1.6
PROTOCOL = 1001
LOCAL_HEADER = 30  # bytes of a ZIP entry's header before its name
# Keys under which checkpoints store state dicts; averages (EMA) come first, because they are used for evaluation.
AVERAGE_KEYS = ("state_dict_ema", "ema_state_dict", "model_ema", "ema_model", "model_ema_state_dict", "ema")
STATE_KEYS = (
    *AVERAGE_KEYS,
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
class TensorListing:
    """The tensors of a file; if it has several sets, `taken` names the listed one and `beside` the others."""

    tensors: list[ListedTensor]
    taken: str = ""
    beside: tuple[str, ...] = ()
    losses: tuple[str, ...] = ()  # names of training losses found in the file


@dataclass(frozen=True, slots=True)
class ListedTensor:
    """One tensor: a view into `count` numbers that start at byte `start` of the file."""

    name: str
    dtype: str
    start: int
    count: int
    offset: int
    size: tuple[int, ...]
    stride: tuple[int, ...]


def list_tensors(content: bytes, wanted: str = "") -> TensorListing:
    """List the tensors of a file with this content; `wanted` selects one of several sets of weights.

    Raises ForeignName, ValueError, and the errors of pickle and zipfile.
    """
    unpickled, start_of, losses = _read_zip(content) if content[:4] == b"PK\x03\x04" else _read_legacy(content)
    state, taken, beside = _state(unpickled, wanted)
    if len(state) > MAX_TENSORS or any(len(name) > MAX_TENSOR_NAME_CHARS for name in state):
        raise ValueError(f"its {len(state):,} tensors are too many for a network, or their names are too long")
    tensors = [
        ListedTensor(name, each.dtype, start_of(each.key), each.count, each.offset, each.size, each.stride)
        for name, each in state.items()
    ]
    return TensorListing(tensors, taken, beside, tuple(sorted(losses | named_losses(unpickled))))


_Loaded = tuple[object, Callable[[str], int], set[str]]  # a file's content, its storages' start bytes, its losses


class _Storages:
    """The storages that a pickle names; their total size is bounded by the file's."""

    def __init__(self, most: int) -> None:
        self._most = most
        self.named: dict[str, TensorView] = {}

    def flat(self, key: str, dtype: str, count: int, view: object) -> TensorView:
        if key not in self.named:
            self._most -= count * DTYPE_BYTES.get(dtype, 1)
            if count < 0 or self._most < 0:
                raise ValueError("it is incomplete: it announces more numbers than it contains")
            self.named[key] = TensorView(key, dtype, count, 0, (count,), (1,))
        whole = self.named[key]
        match view:
            case (_, int() as start, int() as length):
                return TensorView(key, whole.dtype, whole.count, start, (length,), (1,))
        return whole

    def size_in_bytes(self, key: str) -> int:
        """Return the size of a storage in bytes."""
        return self.named[key].count * DTYPE_BYTES.get(self.named[key].dtype, 1)


def _read_legacy(content: bytes) -> _Loaded:
    """Read a file from before torch 1.6: storages follow the pickles, each preceded by its count of numbers."""
    file = io.BytesIO(content)
    storages = _Storages(len(content))
    if NetworkUnpickler(file, storages).load() != MAGIC:
        raise ValueError("it is neither a ZIP file of torch nor a file before torch 1.6")
    if NetworkUnpickler(file, storages).load() != PROTOCOL:
        raise ValueError("its version is unknown")
    machine = NetworkUnpickler(file, storages).load()
    if not isinstance(machine, dict) or machine.get("little_endian") is not True:
        raise ValueError("it was written on a big-endian machine")
    unpickler = NetworkUnpickler(file, storages)
    unpickled = unpickler.load()
    keys = NetworkUnpickler(file, storages).load()
    if not isinstance(keys, list) or not set(keys) <= storages.named.keys():
        raise ValueError("its list of storages is invalid")
    starts: dict[str, int] = {}
    for key in keys:
        count = int.from_bytes(file.read(8), "little", signed=True)
        starts[key] = file.tell()
        file.seek(storages.size_in_bytes(key), io.SEEK_CUR)
        if count != storages.named[key].count or file.tell() > len(content):
            raise ValueError("it is incomplete: numbers are missing at its end")
    return unpickled, starts.__getitem__, unpickler.losses


def _read_zip(content: bytes) -> _Loaded:
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        names = archive.namelist()
        if any(name.endswith("/constants.pkl") for name in names):
            raise ValueError("it is a TorchScript program, and programs are not run")
        pickles = [name for name in names if name.endswith("data.pkl")]
        if len(pickles) != 1:
            raise ValueError("it is a ZIP file, but not from torch.save")
        if any(each.compress_type != zipfile.ZIP_STORED for each in archive.infolist()):
            raise ValueError("it is compressed, which torch.save never does")
        root = pickles[0].removesuffix("data.pkl")
        order = archive.read(f"{root}byteorder") if f"{root}byteorder" in names else b"little"
        if order != sys.byteorder.encode():
            raise ValueError("it was written on a machine with the other byte order")
        storages = _Storages(len(content))
        unpickler = NetworkUnpickler(io.BytesIO(archive.read(pickles[0])), storages)
        unpickled = unpickler.load()
        starts = {
            key: _start(archive, content, f"{root}data/{key}", storages.size_in_bytes(key)) for key in storages.named
        }
    return unpickled, starts.__getitem__, unpickler.losses


def _start(archive: zipfile.ZipFile, content: bytes, name: str, length: int) -> int:
    """Check a stored entry's checksum and return where its bytes start in the file."""
    info = archive.getinfo(name)
    if info.file_size != length or len(archive.read(info)) != length:
        raise ValueError("it is incomplete: numbers are missing in it")
    header = content[info.header_offset : info.header_offset + LOCAL_HEADER]
    return info.header_offset + LOCAL_HEADER + sum(int.from_bytes(header[at : at + 2], "little") for at in (26, 28))


def _state(unpickled: object, wanted: str) -> tuple[dict[str, TensorView], str, tuple[str, ...]]:
    """Find the state dict in a file's content or one of its wrappers; return it, its key and the other sets' keys."""
    taken = ""
    beside: tuple[str, ...] = ()
    for _ in range(4):
        if is_network(unpickled):
            assert isinstance(unpickled, StandIn)
            return state_of_network(unpickled), taken, beside
        if not isinstance(unpickled, dict):
            break
        tensors = {str(name): value for name, value in unpickled.items() if isinstance(value, TensorView)}
        sets = [key for key in STATE_KEYS if isinstance(unpickled.get(key), dict) or is_network(unpickled.get(key))]
        if not sets or len(tensors) > 8:
            if tensors:
                return tensors, taken, beside
            break
        chosen = wanted if wanted in sets else sets[0]
        if len(sets) > 1:
            taken, beside = chosen, tuple(key for key in sets if key != chosen)
        unpickled = unpickled[chosen]
    if isinstance(unpickled, dict) and any(type(value).__name__ == "_reconstruct" for value in unpickled.values()):
        raise ValueError(
            "its weights are NumPy arrays: write them with safetensors.numpy.save_file(arrays, 'model.safetensors') "
            "and use that file"
        )
    raise ValueError("it contains no state dict")
