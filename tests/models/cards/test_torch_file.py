"""Files of torch.save: state dicts, checkpoints and whole models are read, programs hidden in them are not run."""

from __future__ import annotations

import io
import os
import pickle
import struct
import warnings
import zipfile
from collections import OrderedDict
from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest.mock import ANY

import pytest
import timm
import torch
from torch import Tensor, nn

from models.cards.card import UnusableModel
from models.cards.torch_file import Weights, read_torch_weights
from models.cards.weights_file import read_weights
from tests.support.torchxrayvision_files import random_densenet
from tests.support.wording import Wording


def tensors_of(name: str, content: bytes) -> dict[str, Tensor]:
    return read_torch_weights(name, content).tensors


def saved(held: object, *, legacy: bool = False) -> bytes:
    file = io.BytesIO()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        torch.save(held, file, _use_new_zipfile_serialization=not legacy)
    return file.getvalue()


def network() -> nn.Module:
    torch.manual_seed(0)
    model = nn.Sequential(nn.Conv2d(1, 4, 3), nn.BatchNorm2d(4), nn.Flatten(), nn.Linear(4, 2))
    model.register_buffer("passing", torch.ones(1), persistent=False)
    return model


def check(found: dict[str, Tensor], wanted: dict[str, Tensor]) -> None:
    assert found.keys() == wanted.keys()
    for name, tensor in wanted.items():
        assert found[name].dtype == tensor.dtype, name
        assert torch.equal(found[name], tensor), name


HELD: dict[str, Callable[[nn.Module], object]] = {
    "a state dict": lambda model: model.state_dict(),
    "a whole model": lambda model: model,
    "a checkpoint": lambda model: {"epoch": 3, "state_dict": model.state_dict(), "optimizer": {"state": {}}},
    "a model in a checkpoint": lambda model: {"model": model, "args": None},
    "nested": lambda model: {"module": {"state_dict": OrderedDict(model.state_dict())}},
    "half precision": lambda model: model.half().state_dict(),
    "bfloat16": lambda model: model.bfloat16().state_dict(),
    "shared storages": lambda model: {
        name: torch.stack([tensor, tensor])[1] for name, tensor in model.state_dict().items()
    },
}


@pytest.mark.parametrize("legacy", [False, True], ids=["zip", "before 1.6"])
@pytest.mark.parametrize("held", HELD.values(), ids=HELD)
def test_tensors_are_those_that_torch_itself_reads(held: Callable[[nn.Module], object], legacy: bool) -> None:
    model = network()
    content = saved(held(model), legacy=legacy)
    check(tensors_of("weights.pt", content), model.state_dict())


@pytest.mark.parametrize("legacy", [False, True], ids=["zip", "before 1.6"])
def test_a_whole_model_of_torchxrayvision_is_read(legacy: bool) -> None:
    model = random_densenet()
    check(tensors_of("weights.pt", saved(model, legacy=legacy)), model.state_dict())


def test_what_lightning_keeps_beside_the_weights_is_no_obstacle() -> None:
    import argparse
    from pathlib import PosixPath

    import numpy as np

    state = network().state_dict()
    more = {"hyper_parameters": argparse.Namespace(lr=1e-3), "best": PosixPath("/data"), "score": np.float64(0.8)}
    check(tensors_of("last.ckpt", saved({"state_dict": state} | more)), state)


class Program:
    """Pickled, it is a call."""

    def __init__(self, function: Any, *values: object) -> None:  # noqa: ANN401
        self.call = function, values

    def __reduce__(self) -> Any:  # noqa: ANN401
        return self.call


@pytest.mark.parametrize("legacy", [False, True], ids=["zip", "before 1.6"])
@pytest.mark.parametrize(
    ("function", "name"),
    [(os.system, "posix.system"), (eval, "eval"), (exec, "exec"), (getattr, "getattr"), (open, "open")],
)
def test_a_hidden_program_is_refused_and_not_run(
    function: Any,  # noqa: ANN401
    name: str,
    legacy: bool,
    tmp_path: Path,
    wording: Wording,
) -> None:
    mark = tmp_path / "run"
    words = {os.system: f"touch {mark}", eval: f"open({str(mark)!r}, 'w')", exec: f"open({str(mark)!r}, 'w')"}
    values = (words[function],) if function in words else (str(mark), "w")
    for held in (
        {"state_dict": Program(function, *values)},
        network().state_dict() | {"x": Program(function, *values)},
    ):
        with pytest.raises(UnusableModel) as refused:
            tensors_of("weights.pt", saved(held, legacy=legacy))
        wording(refused.value, "none of it")
        assert name in refused.value.title
        assert not mark.exists()


def test_a_module_that_runs_something_when_it_is_made_is_not_made(tmp_path: Path) -> None:
    """Even of a class that is on the list nothing is called."""
    content = saved(Program(nn.Module.__init__, 3))
    with pytest.raises(UnusableModel):
        tensors_of("weights.pt", content)


def test_a_state_for_a_function_is_refused(wording: Wording) -> None:
    """A pickle that would change what later ones call."""
    program = b"\x80\x02ctorch._utils\n_rebuild_tensor_v2\n}b."
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("archive/data.pkl", program)
    with pytest.raises(UnusableModel) as caught:
        tensors_of("weights.pt", file.getvalue())
    wording(caught.value, "the state of a function")


def script() -> bytes:
    file = io.BytesIO()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        traced = torch.jit.trace(nn.Linear(2, 2), torch.zeros(1, 2), check_trace=False)  # a second's imports for it
        torch.jit.save(traced, file)
    return file.getvalue()


def packed() -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("archive/data.pkl", pickle.dumps({}, 2))
    return file.getvalue()


def huge() -> bytes:
    begins = (0x1950A86A20F9469CFC6C, 1001, {"little_endian": True})
    return b"".join(pickle.dumps(each, 2) for each in begins) + saved_storage_claim(1 << 60)


def half(content: bytes) -> bytes:
    return content[: len(content) // 2]


DAMAGED: dict[str, Callable[[], bytes]] = {
    "empty": lambda: b"",
    "text": lambda: b"not weights at all",
    "cut": lambda: half(saved(network().state_dict())),
    "cut before 1.6": lambda: half(saved(network().state_dict(), legacy=True)),
    "another ZIP file": lambda: zip_of("a.txt"),
    "TorchScript": script,
    "compressed": packed,
    "claims an exabyte": huge,
    "no state dict": lambda: saved([1, 2, 3]),
    "no tensors": lambda: saved({"epoch": 3}),
    "a plain pickle": lambda: pickle.dumps({"a": 1}, 2),
}


def zip_of(name: str) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr(name, "x")
    return file.getvalue()


def saved_storage_claim(count: int) -> bytes:
    """A pickle of one storage that says it holds so many numbers."""
    claim = b"\x8a" + bytes([8]) + struct.pack("<q", count)
    return (
        b"\x80\x02(X\x07\x00\x00\x00storagectorch\nFloatStorage\nX\x01\x00\x00\x000X\x03\x00\x00\x00cpu"
        + claim
        + b"NtQ."
    )


@pytest.mark.parametrize("name", DAMAGED)
def test_damage_gets_a_sentence(name: str, wording: Wording) -> None:
    with pytest.raises(UnusableModel) as caught:
        tensors_of("weights.pt", DAMAGED[name]())
    wording(
        caught.value.title, "weights.pt"
    )  # the detail is the unpickler's, and where it breaks off depends on addresses


def test_a_big_endian_file_is_refused() -> None:
    file = io.BytesIO(saved(network().state_dict()))
    changed = io.BytesIO()
    with zipfile.ZipFile(file) as old, zipfile.ZipFile(changed, "w") as new:
        for each in old.infolist():
            new.writestr(each.filename, b"big" if each.filename.endswith("byteorder") else old.read(each))
    with pytest.raises(UnusableModel, match="byte order"):
        tensors_of("weights.pt", changed.getvalue())


def test_a_timm_model_saved_whole_is_read() -> None:
    model = timm.create_model("resnet18", num_classes=3, in_chans=1)
    check(tensors_of("whole.pth", saved(model)), model.state_dict())


BOTH: dict[str, Callable[[dict[str, Tensor], dict[str, Tensor]], object]] = {
    "timm": lambda plain, averaged: {"epoch": 9, "state_dict": plain, "state_dict_ema": averaged},
    "torchvision": lambda plain, averaged: {
        "model": plain,
        "model_ema": {f"module.{n}": t for n, t in averaged.items()},
    },
    "lightning": lambda plain, averaged: {
        "state_dict": {f"model.{n}": t for n, t in plain.items()}
        | {f"ema_model.module.{n}": t for n, t in averaged.items()}
    },
}


@pytest.mark.parametrize("form", BOTH)
def test_of_two_sets_of_weights_the_average_is_read_and_said(form: str, wording: Wording) -> None:
    plain, averaged = network().state_dict(), {name: each + 1 for name, each in network().state_dict().items()}
    content = saved(BOTH[form](plain, averaged))
    found = read_weights("both.pth", content)
    check(found.tensors, averaged)
    assert "ema" in found.taken and len(found.beside) == 1
    (other,) = found.beside
    check(read_weights("both.pth", content, other).tensors, plain)
    with pytest.raises(UnusableModel) as caught:
        read_weights("both.pth", content, "third")
    wording(caught.value, "'third'")


def test_an_average_alone_is_read() -> None:
    state = network().state_dict()
    assert read_torch_weights("ema.pth", saved({"epoch": 9, "state_dict_ema": state})) == Weights(ANY, "", ())
    check(tensors_of("ema.pth", saved({"epoch": 9, "state_dict_ema": state})), state)


def test_what_trainers_keep_beside_the_weights_is_no_obstacle() -> None:
    import datetime
    import functools

    import numpy as np

    model = network()
    beside = {
        "optimizer": torch.optim.AdamW(model.parameters()),
        "curve": np.arange(5.0),
        "when": datetime.datetime(2026, 1, 1),
        "norm": functools.partial(nn.LayerNorm, eps=1e-6),
        "kinds": [int, dict, slice(0, 3)],
    }
    check(tensors_of("last.pth", saved({"state_dict": model.state_dict()} | beside)), model.state_dict())


def test_arrays_of_numpy_and_files_of_keras_get_a_way_out(wording: Wording) -> None:
    from safetensors.numpy import save as save_arrays

    arrays = {name: tensor.numpy() for name, tensor in network().state_dict().items()}
    with pytest.raises(UnusableModel) as caught:
        tensors_of("arrays.pth", saved(arrays))
    wording(caught.value, "NumPy", "safetensors.numpy", "save_file")
    assert read_weights("model.safetensors", save_arrays(arrays)).tensors.keys() == arrays.keys()
    for name, content in (("model.h5", b"\x89HDF\r\n\x1a\n"), ("a.bin", b"\x89HDF\r\n\x1a\n"), ("model.keras", b"PK")):
        with pytest.raises(UnusableModel) as caught:
            read_weights(name, content + bytes(100))
        wording(caught.value, name, "Keras", "ingest predictions")
