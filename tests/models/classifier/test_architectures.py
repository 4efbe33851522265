"""Architectures told by the shapes of their tensors."""

from __future__ import annotations

import pytest
import timm
import torch

from models.classifier.architectures import (
    ARCHITECTURE_TABLE,
    PREFERRED_ARCHITECTURES,
    matching_architectures,
    shape_fingerprint,
)


def shapes(architecture: str, **arguments: object) -> dict[str, tuple[int, ...]]:
    with torch.device("meta"):
        state = timm.create_model(architecture, **arguments).state_dict()  # type: ignore[arg-type]
    return {name: tuple(tensor.shape) for name, tensor in state.items()}


@pytest.mark.parametrize(
    "architecture",
    ["resnet18", "resnet50", "densenet121", "convnext_tiny", "mobilenetv3_large_100", "swin_tiny_patch4_window7_224"],
)
@pytest.mark.parametrize("outputs", [1, 14])
@pytest.mark.parametrize("in_chans", [1, 3])
def test_outputs_and_channels_change_nothing(architecture: str, outputs: int, in_chans: int) -> None:
    assert matching_architectures(shapes(architecture, num_classes=outputs, in_chans=in_chans))[0] == architecture


def test_the_size_of_the_input_changes_nothing() -> None:
    assert (
        matching_architectures(shapes("vit_small_patch16_224", img_size=384, num_classes=5))[0]
        == "vit_small_patch16_224"
    )


def test_twins_that_compute_other_things_are_both_named() -> None:
    found = matching_architectures(shapes("efficientnet_b0"))
    assert {"efficientnet_b0", "tf_efficientnet_b0"} <= set(found)
    assert not PREFERRED_ARCHITECTURES.fullmatch(found[0])


def test_one_shape_more_fits_nothing() -> None:
    assert matching_architectures(shapes("resnet18") | {"extra.weight": (3, 3)}) == ()


def test_the_table_is_of_the_timm_that_is_installed() -> None:
    """Every architecture is in it once at most, all names are timm's, and nearly all of timm's are there."""
    names = [name for line in ARCHITECTURE_TABLE.read_text(encoding="utf-8").splitlines() for name in line.split()[1:]]
    assert len(set(names)) == len(names)
    assert set(names) <= set(timm.list_models())
    assert len(names) > 0.95 * len(timm.list_models())


def test_a_fingerprint_is_of_names_and_shapes() -> None:
    assert shape_fingerprint({"a.weight": (2, 1, 3, 3)}) == shape_fingerprint({"a.weight": (2, 3, 3, 3)})
    assert shape_fingerprint({"a.weight": (2, 4, 3, 3)}) != shape_fingerprint({"a.weight": (4, 2, 3, 3)})
    assert shape_fingerprint({"a.weight": (2,), "fc.weight": (3, 2)}) == shape_fingerprint(
        {"a.weight": (2,), "fc.weight": (9, 2)}
    )
