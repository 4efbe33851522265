"""Small files made to fill memory or to go on for ever, and what is no plain file: refused in seconds, in words."""

from __future__ import annotations

import copy
import io
import os
import pickle
import struct
import time
import zipfile
from collections import OrderedDict
from collections.abc import Callable
from pathlib import Path

import pytest
import torch
from safetensors.torch import save
from torch import nn

from models.cards import torch_file, weights_process
from models.cards.card import UnusableModel
from models.cards.classifier_card import classifier_card
from models.cards.plain_file import weights_content
from models.cards.weights_file import load_weights, read_weights
from models.load import classifier
from tests.support.model_builders import write_model
from tests.support.wording import Wording

SECONDS = 20  # much more than is needed on a busy machine, much less than a file that is not refused takes


def saved(held: object) -> bytes:
    file = io.BytesIO()
    torch.save(held, file)
    return file.getvalue()


def archive_of(program: bytes) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("archive/data.pkl", program)
    return file.getvalue()


def shared_children() -> bytes:
    """Each module holds the one before it twice: 2 to the power of 39 of them."""
    module: nn.Module = nn.Linear(1, 1)
    for _ in range(39):
        module = nn.Sequential(module, module)
    return saved(module)


def memo_index() -> bytes:
    """A pickle that asks for a memo of two thousand million places."""
    return archive_of(b"\x80\x02}r" + struct.pack("<I", 2**31 - 1) + b".")


def overlapping_entries() -> bytes:
    """200 entries of a ZIP file that all are the same 100 kB."""
    tensors = {f"t{at}": torch.full((100_000,), at, dtype=torch.uint8) for at in range(200)}
    file = io.BytesIO(saved(tensors))
    small = io.BytesIO()
    with zipfile.ZipFile(file) as old, zipfile.ZipFile(small, "w") as new:
        for each in old.infolist():
            if "/data/" not in each.filename or each.filename.endswith("/data/0"):
                new.writestr(each.filename, old.read(each))
        (first,) = [each for each in new.filelist if each.filename.endswith("/data/0")]
        for at in range(1, 200):
            again = copy.copy(first)
            again.filename = first.filename[:-1] + str(at)
            new.filelist.append(again)
    return small.getvalue()


def many_views() -> bytes:
    """A tensor of ten thousand million numbers over a storage of one."""
    return saved({"fc.weight": torch.zeros(1).expand(10**10)})


def many_names() -> bytes:
    return saved(OrderedDict((f"layer{at}.weight", torch.zeros(1)) for at in range(60_000)))


def long_name() -> bytes:
    return saved({"a." * 5000 + "weight": torch.zeros(1)})


def endless() -> bytes:
    """A module that is its own child."""
    module = b"\x80\x02ctorch.nn.modules.container\nSequential\n)\x81q\x00"
    return archive_of(module + b"}(X\x08\x00\x00\x00_modules}X\x01\x00\x00\x00ah\x00sub.")


HOSTILE: dict[str, Callable[[], bytes]] = {
    each.__name__: each
    for each in (shared_children, memo_index, overlapping_entries, many_views, many_names, long_name, endless)
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_small_hostile_file_is_refused_in_seconds(name: str, wording: Wording) -> None:
    content = HOSTILE[name]()
    start = time.monotonic()
    with pytest.raises(UnusableModel) as caught:
        read_weights("weights.pth", content)
    wording(caught.value, "weights.pth")
    assert time.monotonic() - start < SECONDS


def test_too_many_names_are_refused_in_safetensors_too(wording: Wording) -> None:
    content = save({f"layer{at}.weight": torch.zeros(1) for at in range(30_000)})
    with pytest.raises(UnusableModel) as caught:
        read_weights("weights.safetensors", content)
    wording(caught.value, "30,000 tensors")


def test_a_process_that_takes_too_long_or_dies_is_told_in_words(
    monkeypatch: pytest.MonkeyPatch, wording: Wording
) -> None:
    monkeypatch.setattr(torch_file, "MAX_SECONDS", 0.01)  # before Python itself has started
    with pytest.raises(UnusableModel) as caught:
        read_weights("weights.pth", saved({"a.weight": torch.zeros(2)}))
    wording(caught.value, "too long")


def test_weights_are_listed_within_memory_in_the_other_process() -> None:
    assert weights_process.BASE_MEMORY <= 1 << 30 and weights_process.BASE_SECONDS <= 10
    assert weights_process._answer(pickle.dumps({}, 2))["wrong"]


@pytest.mark.parametrize("kind", ["device", "pipe", "folder"])
def test_a_card_names_a_plain_file(kind: str, tmp_path: Path) -> None:
    place = tmp_path / "place.pth"
    if kind == "device":
        place.symlink_to("/dev/zero")
    elif kind == "pipe":
        os.mkfifo(place)
    else:
        place.mkdir()
    with pytest.raises(UnusableModel, match="a plain file"):
        weights_content(place)
    path = write_model(tmp_path, "resnet18", weights=place.name)
    with pytest.raises(UnusableModel, match="a plain file"):
        load_weights(classifier_card(str(path)))
    with pytest.raises(UnusableModel, match="a plain file"):
        classifier(f"{place}?findings=a", "cpu")
    path = write_model(tmp_path, "resnet18", gate=place.name)
    with pytest.raises(UnusableModel, match="a plain file"):
        classifier_card(str(path)).local_file(place.name)
