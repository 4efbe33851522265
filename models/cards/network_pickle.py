"""A pickle of a network, read without building it: no class it names is looked up, no function of it is called.

What torch.save writes of a whole model is a program that names classes and functions. Here every name gives a stand-in
that only keeps what is put into it; tensors alone are made. A name that has no business in a network is refused.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Mapping, Sequence
from typing import IO, Any, Protocol

import torch
from torch import Tensor

# Rooms whose classes networks and checkpoints are made of; stand-ins are given for all that is in them.
NETWORKS = ("torch.nn.", "torchvision.models.", "torchvision.ops.", "torchxrayvision.models", "timm.", "__main__.")
# The rest of what the usual checkpoints hold beside tensors: settings, counters, the names of devices.
HARMLESS = frozenset(
    {
        "argparse.Namespace",
        "collections.Counter",
        "collections.defaultdict",
        "lightning.fabric.utilities.data.AttributeDict",
        "lightning.pytorch.utilities.parsing.AttributeDict",
        "lightning_fabric.utilities.data.AttributeDict",
        "numpy._core.multiarray.scalar",
        "numpy.core.multiarray.scalar",
        "numpy.dtype",
        "pathlib.Path",
        "pathlib.PosixPath",
        "pathlib.WindowsPath",
        "pytorch_lightning.utilities.parsing.AttributeDict",
        "torch.Size",
        "torch.device",
        "_codecs.encode",
    }
)
DTYPES = {
    "DoubleStorage": torch.float64,
    "FloatStorage": torch.float32,
    "HalfStorage": torch.float16,
    "BFloat16Storage": torch.bfloat16,
    "LongStorage": torch.int64,
    "IntStorage": torch.int32,
    "ShortStorage": torch.int16,
    "CharStorage": torch.int8,
    "ByteStorage": torch.uint8,
    "BoolStorage": torch.bool,
}


class ForeignName(pickle.UnpicklingError):
    """A pickle asks for `name`, which is no part of a network."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.name = name


class Storages(Protocol):
    """Where the numbers of a file are."""

    def flat(self, key: str, dtype: torch.dtype, count: int, view: object) -> Tensor:
        """All numbers (count,) of one storage, or of the part of it that `view` names. Raises ValueError."""


class StandIn:
    """In place of an object of any class: keeps its state, ignores what it was made of."""

    state: object = None

    def __init__(self, *_: object) -> None: ...
    def __setstate__(self, state: object) -> None:
        self.state = state

    def __setitem__(self, key: object, value: object) -> None: ...
    def append(self, item: object) -> None: ...
    def extend(self, items: object) -> None: ...
    def add(self, item: object) -> None: ...


class Dictionary(dict[Any, Any]):
    """In place of an OrderedDict, whose attributes, such as torch's `_metadata`, are let go."""

    def __setstate__(self, state: object) -> None: ...


class NetworkUnpickler(pickle.Unpickler):
    """Reads one pickle of `file`. Raises ForeignName and what pickle raises for damaged ones."""

    def __init__(self, file: IO[bytes], storages: Storages) -> None:
        super().__init__(file, encoding="utf-8")
        self._storages = storages

    def find_class(self, module: str, name: str) -> Any:  # noqa: ANN401 - what a pickle names may be anything
        """A stand-in for the name, never what it names."""
        known = _TENSORS.get((module, name))
        if known is not None:
            return known
        if module in ("torch", "torch.storage") and name in DTYPES:
            return DTYPES[name]
        if module == "torch" and isinstance(getattr(torch, name, None), torch.dtype):
            return name
        full = f"{module}.{name}"
        if not full.startswith(NETWORKS) and full not in HARMLESS:
            raise ForeignName(full)
        return type(name.rpartition(".")[2], (StandIn,), {})

    def persistent_load(self, pid: object) -> object:
        """The numbers of a storage (count,); of files that torch wrote before 1.6 also the classes of containers."""
        match pid:
            case ("module", container, *_):
                return container
            case ("storage", torch.dtype() as dtype, str() as key, _, int() as count, *view):
                return self._storages.flat(key, dtype, count, view[0] if view else None)
        raise pickle.UnpicklingError("an unknown kind of storage")


def state_of_network(network: StandIn) -> dict[str, Tensor]:
    """The state dict of a pickled torch module, as torch names it. Raises ValueError where it is none."""
    found: dict[str, Tensor] = {}
    _collect(network, "", found, 0)
    return found


def is_network(value: object) -> bool:
    """Whether a stand-in is that of a torch module."""
    return isinstance(value, StandIn) and isinstance(value.state, dict) and "_modules" in value.state


def _collect(network: object, prefix: str, found: dict[str, Tensor], depth: int) -> None:
    if not isinstance(network, StandIn) or not isinstance(network.state, dict) or depth > 40:
        raise ValueError("what lies in it is no torch module")
    state = network.state
    passing = state.get("_non_persistent_buffers_set")
    for kind in ("_parameters", "_buffers"):
        for name, tensor in _items(state.get(kind)):
            if isinstance(tensor, Tensor) and not (isinstance(passing, set) and name in passing):
                found[f"{prefix}{name}"] = tensor
    for name, module in _items(state.get("_modules")):
        if module is not None:
            _collect(module, f"{prefix}{name}.", found, depth + 1)


def _items(table: object) -> Sequence[tuple[str, object]]:
    return [(str(name), value) for name, value in table.items()] if isinstance(table, Mapping) else []


class _Function:
    """What a pickle may call. It cannot be altered by one, as a plain function's attributes could."""

    __slots__ = ("_does",)

    def __init__(self, does: Callable[..., object]) -> None:
        self._does = does

    def __call__(self, *values: object) -> object:
        return self._does(*values)

    def __setstate__(self, state: object) -> None:
        raise pickle.UnpicklingError("a function is given a state")


def _tensor(flat: Tensor, offset: int, size: Sequence[int], stride: Sequence[int], *_: object) -> Tensor:
    """A tensor over a storage; torch checks that it lies inside."""
    return flat.as_strided(tuple(size), tuple(stride), offset)


def _first(value: object, *_: object) -> object:
    return value


def _from_type(function: Any, _kind: object, values: Sequence[Any], *_: object) -> object:  # noqa: ANN401
    """A tensor of a class of its own, as a tensor; `function` is one of this table."""
    if not isinstance(function, _Function):
        raise pickle.UnpicklingError("an unknown kind of tensor")
    return function(*values)


TENSOR, FIRST = _Function(_tensor), _Function(_first)
_TENSORS: dict[tuple[str, str], Any] = {
    ("collections", "OrderedDict"): Dictionary,
    ("torch._utils", "_rebuild_tensor"): TENSOR,
    ("torch._utils", "_rebuild_tensor_v2"): TENSOR,
    ("torch._utils", "_rebuild_parameter"): FIRST,
    ("torch._utils", "_rebuild_parameter_with_state"): FIRST,
    ("torch._tensor", "_rebuild_from_type_v2"): _Function(_from_type),
    ("torch", "Tensor"): StandIn,
    ("torch.nn.parameter", "Parameter"): FIRST,
    ("builtins", "set"): set,
    ("__builtin__", "set"): set,
}
