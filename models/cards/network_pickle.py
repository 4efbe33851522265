"""Reads a pickled network without building it: no class that it names is imported and none of its code is run.

A whole model saved by torch.save is a program that names classes and functions. Here every name becomes a stand-in that
only stores its state, and a tensor becomes a reference to its numbers in the file. Names that do not belong in a
network are refused. Needs no torch: `models.cards.weights_process` runs this in a separate process.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import IO, Any, Protocol

# Modules whose classes make up networks and checkpoints; all names in them get stand-ins.
NETWORK_MODULES = (
    "torch.nn.",
    "torchvision.models.",
    "torchvision.ops.",
    "torchxrayvision.models",
    "timm.",
    "__main__.",
)
# Modules of objects that trainers store next to the weights: optimizers, schedules, scalers, settings.
TRAINER_MODULES = tuple(
    "torch.optim. torch.amp. torch.cuda.amp. omegaconf. yacs.config. easydict. addict. mmengine.config. "
    "ml_collections. timm.scheduler. pytorch_lightning.callbacks. lightning.pytorch.callbacks.".split()
)
# Other names in common checkpoints: settings, counters, device names.
HARMLESS_NAMES = frozenset(
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
DTYPE_BYTES = {"float64": 8, "int64": 8, "float32": 4, "int32": 4, "float16": 2, "bfloat16": 2, "int16": 2}  # others: 1
OTHER_DTYPES = frozenset(
    "float half double bfloat16 long int short uint8 int8 int16 int32 int64 float16 float32 float64 bool "
    "complex32 complex64 complex128 uint16 uint32 uint64 float8_e4m3fn float8_e5m2".split()
)
LOSS_MODULES = frozenset({"torch.nn.modules.loss", "torch.nn.functional"})
MAX_TENSORS = 20_000  # per network; timm's largest network has a tenth of that
MAX_MODULES = 100_000
MAX_TENSOR_NAME_CHARS = 1000  # characters


@dataclass(frozen=True, slots=True)
class TensorView:
    """The location of a tensor's numbers: a view into the storage `key`, which holds `count` numbers."""

    key: str
    dtype: str
    count: int
    offset: int
    size: tuple[int, ...]
    stride: tuple[int, ...]


_PYTHON_2 = {"__builtin__": "builtins", "copy_reg": "copyreg"}  # module names in pickles of protocol 2


class ForeignName(pickle.UnpicklingError):
    """A pickle refers to `name`, which does not belong in a network."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.name = name


class Storages(Protocol):
    """Finds the numbers of a file's storages."""

    def flat(self, key: str, dtype: str, count: int, view: object) -> TensorView:
        """Return a view of all numbers (count,) of a storage, or of the part that `view` names. Raises ValueError."""


class StandIn:
    """Stands in for an object of any class: keeps its state and ignores its constructor arguments."""

    state: object = None

    def __init__(self, *_: object) -> None: ...
    def __setstate__(self, state: object) -> None:
        self.state = state

    def __setitem__(self, key: object, value: object) -> None: ...
    def append(self, item: object) -> None: ...
    def extend(self, items: object) -> None: ...
    def add(self, item: object) -> None: ...


class PlainDict(dict[Any, Any]):
    """Stands in for an OrderedDict and drops attributes such as torch's `_metadata`."""

    def __setstate__(self, state: object) -> None: ...


class NetworkUnpickler(pickle.Unpickler):
    """Reads one pickle from `file`. Raises ForeignName, and pickle's errors for damaged data."""

    def __init__(self, file: IO[bytes], storages: Storages) -> None:
        super().__init__(file, encoding="utf-8")
        self._storages = storages
        self.losses: set[str] = set()  # losses of torch and timm that the file refers to

    def find_class(self, module: str, name: str) -> Any:  # noqa: ANN401 - what a pickle names may be anything
        """Return a stand-in for the name, never the object it names."""
        known = _TENSORS.get((module, name))
        if known is not None:
            return known
        if module in ("torch", "torch.storage") and name in DTYPES:
            return DTYPES[name]
        if module == "torch" and name in OTHER_DTYPES:
            return name
        full = f"{_PYTHON_2.get(module, module)}.{name}"
        if module in LOSS_MODULES or module.startswith("timm.loss."):
            self.losses.add(name)
        if not full.startswith(NETWORK_MODULES + TRAINER_MODULES) and full not in HARMLESS_NAMES:
            raise ForeignName(full)
        return type(name.rpartition(".")[2], (StandIn,), {})

    def persistent_load(self, pid: object) -> object:
        """Return a storage's numbers (count,); for files before torch 1.6 also the containers' classes."""
        match pid:
            case ("module", container, *_):
                return container
            case ("storage", str() as dtype, str() as key, _, int() as count, *view):
                return self._storages.flat(key, dtype, count, view[0] if view else None)
        raise pickle.UnpicklingError("an unknown kind of storage")


def state_of_network(network: StandIn) -> dict[str, TensorView]:
    """Return the state dict of a pickled torch module, with torch's names. Raises ValueError if it is not one."""
    found: dict[str, TensorView] = {}
    waiting: list[tuple[object, str]] = [(network, "")]
    for _ in range(MAX_MODULES):  # shared children can make more modules than the file contains
        if not waiting:
            return found
        module, prefix = waiting.pop()
        if not isinstance(module, StandIn) or not isinstance(module.state, dict):
            raise ValueError("its content is not a torch module")
        found |= {f"{prefix}{name}": place for name, place in _tensors_of(module.state)}
        inner = [(child, f"{prefix}{name}.") for name, child in _items(module.state.get("_modules")) if child]
        waiting += reversed(inner)
        if len(found) > MAX_TENSORS or len(prefix) > MAX_TENSOR_NAME_CHARS:
            break
    raise ValueError("it has more modules than a network")


def is_network(value: object) -> bool:
    """Return whether a value stands in for a torch module."""
    return isinstance(value, StandIn) and isinstance(value.state, dict) and "_modules" in value.state


def _tensors_of(state: Mapping[str, object]) -> Iterable[tuple[str, TensorView]]:
    non_persistent = state.get("_non_persistent_buffers_set")
    for kind in ("_parameters", "_buffers"):
        for name, place in _items(state.get(kind)):
            if isinstance(place, TensorView) and not (isinstance(non_persistent, set) and name in non_persistent):
                yield name, place


def _items(table: object) -> Sequence[tuple[str, object]]:
    return [(str(name), value) for name, value in table.items()] if isinstance(table, Mapping) else []


class _Function:
    """A function that a pickle may call. A pickle cannot change its attributes, unlike a plain function's."""

    __slots__ = ("_function",)

    def __init__(self, function: Callable[..., object]) -> None:
        self._function = function

    def __call__(self, *values: object) -> object:
        return self._function(*values)

    def __setstate__(self, state: object) -> None:
        raise pickle.UnpicklingError("the file sets the state of a function")


def _tensor(flat: object, offset: int, size: Sequence[int], stride: Sequence[int], *_: object) -> TensorView:
    """Return a view into a storage; torch checks its bounds when the tensor is made."""
    if not isinstance(flat, TensorView):
        raise pickle.UnpicklingError("a tensor has no storage")
    return replace(flat, offset=flat.offset + offset, size=tuple(size), stride=tuple(stride))


def _first(value: object, *_: object) -> object:
    return value


def _from_type(function: Any, _kind: object, values: Sequence[Any], *_: object) -> object:  # noqa: ANN401
    """Return a tensor subclass's data as a plain tensor; `function` must be in this module's table."""
    if not isinstance(function, _Function):
        raise pickle.UnpicklingError("an unknown kind of tensor")
    return function(*values)


TENSOR, FIRST = _Function(_tensor), _Function(_first)
_TENSORS: dict[tuple[str, str], Any] = {
    ("collections", "OrderedDict"): PlainDict,
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
