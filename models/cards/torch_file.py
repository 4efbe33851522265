"""The state dict in a file of torch.save: a plain one, one in a checkpoint, or that of a whole pickled model.

Another process lists the tensors (`models.cards.weights_process`), so that no file can fill or hold up this one; here
they are made of the file's bytes. Nothing in a file is run, in either process.
"""

from __future__ import annotations

import json
import math
import signal
import subprocess
import threading
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from models.cards.card import UnusableModel
from models.cards.network_pickle import DTYPES
from models.child_process import read_message, started, write_message

SUFFIXES = (".pt", ".pth", ".bin", ".ckpt", ".tar")
LONGEST = 120.0  # seconds of the clock; the process's own limit is of computing
REPEATED = 4  # times the bytes of a file may be used: by tied weights, by views


@dataclass(frozen=True, slots=True)
class Weights:
    """Tensors by name; where a file has several sets, which one they are and what the others are called."""

    tensors: dict[str, Tensor]
    taken: str = ""
    beside: tuple[str, ...] = ()
    losses: tuple[str, ...] = ()  # by name, that the file says it was trained with


def torch_weights(name: str, content: bytes, wanted: str = "") -> Weights:
    """The weights in the file `name` with this content; `wanted` names one of several sets of them.

    Raises UnusableModel, with the reason in words.
    """
    answer = _asked(content, wanted)
    if "foreign" in answer:
        raise UnusableModel(
            f"{name} is not read: it asks for {answer['foreign']}, which is no part of a network",
            "A file can hide a program there; none of it was run. Use it only from a source you trust: there load it "
            "and write its state_dict() with safetensors.torch.save_file, then give that file.",
        )
    if "wrong" in answer:
        raise _damaged(name, answer["wrong"])
    try:
        return Weights(
            _made(answer["tensors"], content), answer["taken"], tuple(answer["beside"]), tuple(answer["losses"])
        )
    except (RuntimeError, ValueError, TypeError, OverflowError) as error:  # a tensor that does not lie in its storage
        raise _damaged(name, (str(error).strip().splitlines() or [type(error).__name__])[0][:200]) from error


def _asked(content: bytes, wanted: str) -> dict[str, Any]:
    """What the other process says of a file, or what is wrong where it ended without an answer."""
    process = started("models.cards.weights_process", stderr=subprocess.DEVNULL)
    assert process.stdin is not None and process.stdout is not None
    clock = threading.Timer(LONGEST, process.kill)
    clock.start()
    try:
        with process.stdin, process.stdout:
            write_message(process.stdin, content)
            write_message(process.stdin, wanted.encode())
            said = read_message(process.stdout)
    except BrokenPipeError:
        said = None
    finally:
        clock.cancel()
        process.kill()
        ended = process.wait()
    if said is None:
        late = ended in (-signal.SIGPROF, -signal.SIGKILL)
        return {
            "wrong": "it takes too long to read" if late else "it cannot be read in the memory that its size asks for"
        }
    answer: dict[str, Any] = json.loads(said)
    return answer


def _made(rows: list[dict[str, Any]], content: bytes) -> dict[str, Tensor]:
    """The tensors of a list, over copies of their storages."""
    storages: dict[tuple[int, int, str], Tensor] = {}
    state: dict[str, Tensor] = {}
    left = REPEATED * len(content)
    for row in rows:
        kind, start, count, size = row["dtype"], row["start"], row["count"], row["size"]
        if kind not in DTYPES.values():
            raise ValueError("a tensor of it is of an unknown kind")
        dtype: torch.dtype = getattr(torch, kind)
        left -= math.prod(size) * dtype.itemsize
        if left < 0:
            raise ValueError("its tensors are many times as large as the file")
        if (start, count, kind) not in storages:
            data = bytearray(content[start : start + count * dtype.itemsize])
            storages[start, count, kind] = torch.frombuffer(data, dtype=dtype) if count else torch.empty(0, dtype=dtype)
        state[row["name"]] = storages[start, count, kind].as_strided(size, row["stride"], row["offset"])
    return state


def _damaged(name: str, why: str) -> UnusableModel:
    return UnusableModel(
        f"{name} is no weights file that can be read here",
        f"{why.rstrip('.')}. It must be a state dict, a checkpoint that holds one, or a whole torch model, written by "
        "torch.save; or a safetensors file.",
    )
