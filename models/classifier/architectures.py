"""Finds the timm architectures that weights may belong to, from the names and shapes of their tensors alone.

Each line of `architectures.txt` contains a fingerprint of shapes and the architectures that share it. To rebuild it for
another version of timm, run `python -m models.classifier.architectures`.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path

ARCHITECTURE_TABLE = Path(__file__).with_suffix(".txt")
# Tensors whose shape depends on the number of outputs, and tensors whose shape depends on the input size.
_HEAD = re.compile(r"(fc|classifier|head|heads|head_dist|head_drop|last_linear|logits)\.")
_SIZED = re.compile(r"pos_embed|position|attn_mask|rel_pos|relative|rope|num_batches_tracked")
# Preferred among architectures with the same shapes unless the user names another; torchvision has these too.
PREFERRED_ARCHITECTURES = re.compile(
    r"resnet(18|34|50|101|152)|densenet(121|161|169|201)|wide_resnet(50|101)_2|resnext(50_32x4d|101_32x8d|101_64x4d)|"
    r"vgg(11|13|16|19)(_bn)?|convnext_(tiny|small|base|large)|vit_(tiny|small|base|large)_patch(16|32)_224|"
    r"swin_(tiny|small|base|large)_patch4_window7_224"
)


def shape_fingerprint(shapes: Mapping[str, Sequence[int]]) -> str:
    """Return a hash that ignores the number of outputs, input channels and input size."""
    lines = [
        f"{name} {_without_channels(tuple(shape))}"
        for name, shape in shapes.items()
        if not _HEAD.match(name) and not _SIZED.search(name)
    ]
    return hashlib.sha256("\n".join(sorted(lines)).encode()).hexdigest()[:16]


def matching_architectures(shapes: Mapping[str, Sequence[int]]) -> tuple[str, ...]:
    """Return the architectures whose weights have these names and shapes, the preferred one first; may be empty."""
    found = _table().get(shape_fingerprint(shapes), ())
    return tuple(sorted(found, key=lambda name: (PREFERRED_ARCHITECTURES.fullmatch(name) is None, len(name), name)))


def _without_channels(shape: tuple[int, ...]) -> tuple[object, ...]:
    """Return the shape, leaving open whether the first layer has 1 or 3 channels."""
    return (shape[0], "?", *shape[2:]) if len(shape) == 4 and shape[1] in (1, 3) else shape


@lru_cache(maxsize=1)
def _table() -> dict[str, tuple[str, ...]]:
    rows = (line.split() for line in ARCHITECTURE_TABLE.read_text(encoding="utf-8").splitlines())
    return {digest: tuple(names) for digest, *names in rows}


def write_architecture_table() -> None:
    """Build every timm architecture without allocating weights, and write the table."""
    import timm
    import torch

    found: dict[str, list[str]] = {}
    for name in timm.list_models():
        try:
            with torch.device("meta"):
                state = timm.create_model(name).state_dict()
        except (RuntimeError, ValueError, NotImplementedError, TypeError, ImportError):
            continue  # cannot be built this way, so users must name it
        found.setdefault(shape_fingerprint({key: value.shape for key, value in state.items()}), []).append(name)
    lines = sorted(found.items(), key=lambda item: item[1])
    ARCHITECTURE_TABLE.write_text("".join(f"{digest} {' '.join(names)}\n" for digest, names in lines), encoding="utf-8")


if __name__ == "__main__":
    write_architecture_table()
