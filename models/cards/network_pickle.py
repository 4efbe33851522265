"""A pickle of a network, read without building it: no class it names is looked up, no function of it is called.

What torch.save writes of a whole model is a program that names classes and functions. Here every name gives a stand-in
that only keeps what is put into it; of tensors it is kept where their numbers are. A name that has no business in a
network is refused. Needs no torch: `models.cards.weights_process` runs it apart from everything else.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import IO, Any, Protocol

# Rooms whose classes networks and checkpoints are made of; stand-ins are given for all that is in them.
NETWORKS = ("torch.nn.", "torchvision.models.", "torchvision.ops.", "torchxrayvision.models", "timm.", "__main__.")
# Rooms of what trainers put beside the weights: optimizers, schedules, scalers, settings.
BESIDE = tuple(
    "torch.optim. torch.amp. torch.cuda.amp. omegaconf. yacs.config. easydict. addict. mmengine.config. "
    "ml_collections. timm.scheduler. pytorch_lightning.callbacks. lightning.pytorch.callbacks.".split()
)
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
        "numpy._core.multiarray._reconstruct",
        "numpy.core.multiarray._reconstruct",
        "numpy.ndarray",
        "builtins.bool",
        "builtins.complex",
        "builtins.dict",
        "builtins.float",
        "builtins.frozenset",
        "builtins.int",
        "builtins.list",
        "builtins.long",
        "builtins.object",
        "builtins.slice",
        "builtins.str",
        "builtins.unicode",
        "builtins.xrange",
        "builtins.tuple",
        "collections.deque",
        "copyreg._reconstructor",
        "datetime.datetime",
        "datetime.timedelta",
        "functools.partial",
        "types.SimpleNamespace",
        "typing.Any",
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
    "DoubleStorage": "float64",
    "FloatStorage": "float32",
    "HalfStorage": "float16",
    "BFloat16Storage": "bfloat16",
    "LongStorage": "int64",
    "IntStorage": "int32",
    "ShortStorage": "int16",
    "CharStorage": "int8",
    "ByteStorage": "uint8",
    "BoolStorage": "bool",
}
BYTES = {"float64": 8, "int64": 8, "float32": 4, "int32": 4, "float16": 2, "bfloat16": 2, "int16": 2}  # else 1
OTHER_DTYPES = frozenset(
    "float half double bfloat16 long int short uint8 int8 int16 int32 int64 float16 float32 float64 bool "
    "complex32 complex64 complex128 uint16 uint32 uint64 float8_e4m3fn float8_e5m2".split()
)
LOSSES = frozenset({"torch.nn.modules.loss", "torch.nn.functional"})
MOST_TENSORS = 20_000  # of a network; the largest of timm's have a tenth
MOST_MODULES = 100_000
LONGEST_NAME = 1000  # characters


@dataclass(frozen=True, slots=True)
class Place:
    """Where the numbers of one tensor are: a view into the storage `key`, which holds `count` of them."""

    key: str
    dtype: str
    count: int
    offset: int
    size: tuple[int, ...]
    stride: tuple[int, ...]


_PYTHON_2 = {"__builtin__": "builtins", "copy_reg": "copyreg"}  # what pickles of protocol 2 call these rooms


class ForeignName(pickle.UnpicklingError):
    """A pickle asks for `name`, which is no part of a network."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.name = name


class Storages(Protocol):
    """Where the numbers of a file are."""

    def flat(self, key: str, dtype: str, count: int, view: object) -> Place:
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
        self.losses: set[str] = set()  # classes and functions of torch and timm that the file names

    def find_class(self, module: str, name: str) -> Any:  # noqa: ANN401 - what a pickle names may be anything
        """A stand-in for the name, never what it names."""
        known = _TENSORS.get((module, name))
        if known is not None:
            return known
        if module in ("torch", "torch.storage") and name in DTYPES:
            return DTYPES[name]
        if module == "torch" and name in OTHER_DTYPES:
            return name
        full = f"{_PYTHON_2.get(module, module)}.{name}"
        if module in LOSSES or module.startswith("timm.loss."):
            self.losses.add(name)
        if not full.startswith(NETWORKS + BESIDE) and full not in HARMLESS:
            raise ForeignName(full)
        return type(name.rpartition(".")[2], (StandIn,), {})

    def persistent_load(self, pid: object) -> object:
        """The numbers of a storage (count,); of files that torch wrote before 1.6 also the classes of containers."""
        match pid:
            case ("module", container, *_):
                return container
            case ("storage", str() as dtype, str() as key, _, int() as count, *view):
                return self._storages.flat(key, dtype, count, view[0] if view else None)
        raise pickle.UnpicklingError("an unknown kind of storage")


def state_of_network(network: StandIn) -> dict[str, Place]:
    """The state dict of a pickled torch module, as torch names it. Raises ValueError where it is none."""
    found: dict[str, Place] = {}
    waiting: list[tuple[object, str]] = [(network, "")]
    for _ in range(MOST_MODULES):  # modules that share their children are more than the file has
        if not waiting:
            return found
        module, prefix = waiting.pop()
        if not isinstance(module, StandIn) or not isinstance(module.state, dict):
            raise ValueError("what lies in it is no torch module")
        found |= {f"{prefix}{name}": place for name, place in _tensors_of(module.state)}
        inner = [(child, f"{prefix}{name}.") for name, child in _items(module.state.get("_modules")) if child]
        waiting += reversed(inner)
        if len(found) > MOST_TENSORS or len(prefix) > LONGEST_NAME:
            break
    raise ValueError("it has more modules than a network")


def is_network(value: object) -> bool:
    """Whether a stand-in is that of a torch module."""
    return isinstance(value, StandIn) and isinstance(value.state, dict) and "_modules" in value.state


def _tensors_of(state: Mapping[str, object]) -> Iterable[tuple[str, Place]]:
    passing = state.get("_non_persistent_buffers_set")
    for kind in ("_parameters", "_buffers"):
        for name, place in _items(state.get(kind)):
            if isinstance(place, Place) and not (isinstance(passing, set) and name in passing):
                yield name, place


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


def _tensor(flat: object, offset: int, size: Sequence[int], stride: Sequence[int], *_: object) -> Place:
    """A tensor over a storage; torch checks that it lies inside when it is made."""
    if not isinstance(flat, Place):
        raise pickle.UnpicklingError("a tensor has no storage")
    return replace(flat, offset=flat.offset + offset, size=tuple(size), stride=tuple(stride))


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
