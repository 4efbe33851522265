"""Reads the state dict in a torch.save file: bare, inside a checkpoint, or inside a whole pickled model.

A child process lists the tensors (`models.cards.weights_process`), so that no file can fill or block this process; here
they are made from the file's bytes. Neither process runs any code in the file.
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
from models.child_process import read_message, start_child, write_message

TORCH_SUFFIXES = (".pt", ".pth", ".bin", ".ckpt", ".tar")
MAX_SECONDS = 120.0  # seconds of wall time; the child process also limits its CPU time
MAX_REUSE = 4  # limit of the tensors' total size, in file sizes; above 1 because of tied weights and views


@dataclass(frozen=True, slots=True)
class Weights:
    """Tensors by name; if a file has several sets, `taken` names the one used and `beside` the others."""

    tensors: dict[str, Tensor]
    taken: str = ""
    beside: tuple[str, ...] = ()
    losses: tuple[str, ...] = ()  # names of training losses found in the file


def read_torch_weights(name: str, content: bytes, wanted: str = "") -> Weights:
    """Return the weights in the file `name` with this content; `wanted` selects one of several sets.

    Raises UnusableModel with the reason.
    """
    answer = _listing_answer(content, wanted)
    if "foreign" in answer:
        raise UnusableModel(
            f"{name} cannot be loaded: it refers to {answer['foreign']}, which does not belong in a network",
            "Such a file may contain a program; none of it was run. If you trust the source, load the file elsewhere, "
            "write its state_dict() with safetensors.torch.save_file, and use that file.",
        )
    if "wrong" in answer:
        raise _damaged(name, answer["wrong"])
    try:
        return Weights(
            _tensors(answer["tensors"], content), answer["taken"], tuple(answer["beside"]), tuple(answer["losses"])
        )
    except (RuntimeError, ValueError, TypeError, OverflowError) as error:  # a tensor exceeds its storage
        raise _damaged(name, (str(error).strip().splitlines() or [type(error).__name__])[0][:200]) from error


def _listing_answer(content: bytes, wanted: str) -> dict[str, Any]:
    """Return the child process's answer, or the reason why it ended without one."""
    process = start_child("models.cards.weights_process", stderr=subprocess.DEVNULL)
    assert process.stdin is not None and process.stdout is not None
    clock = threading.Timer(MAX_SECONDS, process.kill)
    clock.start()
    try:
        with process.stdin, process.stdout:
            write_message(process.stdin, content)
            write_message(process.stdin, wanted.encode())
            reply = read_message(process.stdout)
    except BrokenPipeError:
        reply = None
    finally:
        clock.cancel()
        process.kill()
        ended = process.wait()
    if reply is None:
        late = ended in (-signal.SIGPROF, -signal.SIGKILL)
        return {"wrong": "it takes too long to read" if late else "it needs more memory than a file of its size should"}
    answer: dict[str, Any] = json.loads(reply)
    return answer


def _tensors(rows: list[dict[str, Any]], content: bytes) -> dict[str, Tensor]:
    """Return the listed tensors, built on copies of their storages."""
    storages: dict[tuple[int, int, str], Tensor] = {}
    state: dict[str, Tensor] = {}
    bytes_left = MAX_REUSE * len(content)
    for row in rows:
        kind, start, count, size = row["dtype"], row["start"], row["count"], row["size"]
        if kind not in DTYPES.values():
            raise ValueError("one of its tensors has an unknown type")
        dtype: torch.dtype = getattr(torch, kind)
        bytes_left -= math.prod(size) * dtype.itemsize
        if bytes_left < 0:
            raise ValueError("its tensors are many times larger than the file")
        if (start, count, kind) not in storages:
            data = bytearray(content[start : start + count * dtype.itemsize])
            storages[start, count, kind] = torch.frombuffer(data, dtype=dtype) if count else torch.empty(0, dtype=dtype)
        state[row["name"]] = storages[start, count, kind].as_strided(size, row["stride"], row["offset"])
    return state


def _damaged(name: str, why: str) -> UnusableModel:
    return UnusableModel(
        f"{name} is not a readable weights file",
        f"{why[:1].upper()}{why[1:].rstrip('.')}. It must be a safetensors file, or a state dict, a checkpoint with "
        "one, or a whole torch model, written by torch.save.",
    )
