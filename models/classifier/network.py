"""Builds the timm network of a card and loads its weights."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import timm
from torch import Tensor, nn

from models.cards.card import Card, UnusableModel
from models.classifier import joined_network  # noqa: F401 - registers it with timm
from models.classifier.answer import OutputsToLogits
from models.classifier.architectures import matching_architectures
from models.classifier.timm_form import last_layer_name, missing_last_layer, tensor_shapes, to_timm_form
from models.unfilled import skip_random_init


def build_network(card: Card, state: Mapping[str, Tensor]) -> nn.Module:
    """Return `card.architecture` with the weights `state` and one output per finding, in order.

    Unnamed outputs are cut off the last layer. With softmax, which needs them, `output_conversion` drops them instead.
    Raises UnusableModel if card and weights do not fit.
    """
    outputs = card.outputs or card.findings
    with skip_random_init():
        model = empty_network(card.architecture, card.in_chans, len(outputs), card.arguments, card.size)
    try:
        model.load_state_dict(_fitting_names(model, card, state))  # converts half precision while copying
    except RuntimeError as error:
        raise UnusableModel(
            f"The weights of {card.name} do not fit {card.architecture}", _misfit(card, state, error)
        ) from error
    if card.outputs and not card.exclusive:
        _keep_outputs(model, [place for place, name in enumerate(outputs) if name], card)
    return model


def _fitting_names(model: nn.Module, card: Card, state: Mapping[str, Tensor]) -> Mapping[str, Tensor]:
    return state if model.state_dict().keys() == state.keys() else to_timm_form(card.architecture, state)


def output_conversion(card: Card) -> OutputsToLogits:
    """Return the conversion of the network's outputs to one logit per finding of a card."""
    named = [place for place, name in enumerate(card.outputs) if name]
    return OutputsToLogits(exclusive=card.exclusive, kept=named if card.outputs and card.exclusive else None)


def empty_network(
    architecture: str, in_chans: int, outputs: int, arguments: Mapping[str, object], size: int
) -> nn.Module:
    """Return a timm network without trained weights. Raises UnusableModel for an unknown architecture or argument."""
    if not timm.is_model(architecture):
        raise UnusableModel(
            f"timm has no architecture {architecture!r}",
            f"Correct `architecture`. {_suggestion(architecture)}",
        )
    sized: dict[str, Any] = {"img_size": size} if has_fixed_size(architecture) and size else {}
    try:
        model: nn.Module = timm.create_model(
            architecture, pretrained=False, in_chans=in_chans, num_classes=outputs, **(sized | dict(arguments))
        )
    except (TypeError, ValueError, AssertionError, KeyError, AttributeError, RuntimeError) as error:
        raise UnusableModel(
            f"{architecture} cannot be built", f"{str(error)[:200]}. Correct the size or the arguments of the model."
        ) from error
    return model


def has_fixed_size(architecture: str) -> bool:
    """Return whether the network is built for a single input size, as vision transformers are."""
    described = timm.get_pretrained_cfg(architecture)
    return described is not None and bool(described.fixed_input_size)


def outputs_in(architecture: str, state: Mapping[str, Tensor]) -> int | None:
    """Return how many outputs the weights of an architecture have; None if they have no last layer."""
    last = state.get(f"{last_layer_name(architecture)}.weight")
    return None if last is None else len(last)


def _misfit(card: Card, state: Mapping[str, Tensor], error: RuntimeError) -> str:
    named, found = len(card.outputs or card.findings), outputs_in(card.architecture, state)
    if found is not None and found != named:
        return (
            f"They have {found} outputs, but {named} findings are named. Name one finding for each output, in order; "
            "an empty name drops an untrained output."
        )
    if found is None and last_layer_name(card.architecture):
        return missing_last_layer(card.name, card.architecture, state).detail
    first = next(line.strip() for line in str(error).splitlines()[1:] if line.strip())
    fit = matching_architectures(tensor_shapes(state))
    if fit and card.architecture not in fit:
        return f"Judging by their tensor shapes, they are of {' or '.join(fit[:3])}. Correct the architecture."
    return f"{first[:200]} Correct the architecture, in_chans or findings of the card, or its weights."


def _keep_outputs(model: nn.Module, rows: list[int], card: Card) -> None:
    """Keep only these outputs of the last layer."""
    last = model.get_submodule(last_layer_name(card.architecture) or "")
    if not isinstance(last, nn.Linear | nn.Conv2d):
        raise UnusableModel(
            f"No output can be removed from {card.architecture}",
            "Its last layer is not linear. Name all of its outputs.",
        )
    last.weight = nn.Parameter(last.weight[rows].clone())
    if last.bias is not None:
        last.bias = nn.Parameter(last.bias[rows].clone())
    setattr(last, "out_features" if isinstance(last, nn.Linear) else "out_channels", len(rows))


def _suggestion(architecture: str) -> str:
    """Suggest a few architectures with similar names."""
    from difflib import get_close_matches

    near = get_close_matches(architecture.lower(), timm.list_models(), 3, 0.6)
    return f"Perhaps {' or '.join(near)}." if near else "`timm.list_models()` lists them."
