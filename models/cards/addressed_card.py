"""Builds the card of a classifier given by address, from its weights, timm's config next to them, and guesses."""

from __future__ import annotations

import hashlib
import json
import math
import re
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from models.cards.address import FOLDER, HUB, TIMM, Address, parse_address, weights_stem
from models.cards.arguments import check_arguments
from models.cards.card import MAX_INPUT_SIDE, MIN_INPUT_SIDE, Card, UnusableModel
from models.cards.home import own_models
from models.cards.hub import hub_file
from models.cards.output_function import output_function
from models.cards.plain_file import weights_content
from models.cards.toml_table import WrongTable

if TYPE_CHECKING:
    from models.classifier.known_weights import KnownWeights

TIMM_CONFIG = "config.json"
WEIGHTS_NAMES = ("model.safetensors", "pytorch_model.bin")
UNKNOWN_LICENSE = "unknown: see the source of the weights"


@dataclass(frozen=True, slots=True)
class TimmConfig:
    """The facts in timm's config.json next to the weights."""

    architecture: str
    labels: tuple[str, ...] | None
    size: int | None
    mean: tuple[float, ...] | None
    std: tuple[float, ...] | None
    in_chans: int | None
    arguments: dict[str, object]
    licence: str


def addressed_card(text: str) -> Card:
    """Return the card for an address. Raises UnusableModel, saying what is missing and how to state it."""
    return card_for_address(parse_address(text))


@dataclass(frozen=True, slots=True)
class ExaminedWeights:
    """The facts in a weights file and in timm's config next to it."""

    config: TimmConfig | None
    file: Path
    sha256: str
    known: KnownWeights
    losses: tuple[str, ...]  # names of training losses found in the file


def examine_weights(address: Address) -> ExaminedWeights:
    """Read an address's weights, only to learn facts about them. Raises UnusableModel if they cannot be read."""
    from models.cards.weights_file import read_weights  # brings torch
    from models.classifier.known_weights import StatedFacts, known_weights

    config, file = _files(address)
    content = weights_content(file)
    weights = read_weights(file.name, content, address.state)
    stated = StatedFacts(address.architecture, address.size, address.mean, address.std, address.in_chans)
    if config is not None:
        stated = replace(
            stated,
            architecture=config.architecture,
            size=stated.size or config.size,
            mean=stated.mean or config.mean,
            std=stated.std or config.std,
            in_chans=stated.in_chans or config.in_chans,
        )
    known = known_weights(file.name if config is None else address.place, weights.tensors, stated)
    if weights.beside and not address.state:
        words = f"Used the weights {weights.taken}, not {' or '.join(weights.beside)} (state={weights.beside[0]})."
        known = replace(known, guessed=(words, *known.guessed))
    return ExaminedWeights(config, file, hashlib.sha256(content).hexdigest(), known, weights.losses)


def stated_outputs(address: Address) -> tuple[str, ...] | None:
    """Return the output names from the address or timm's config; None if neither states them."""
    if address.findings is not None or address.kind not in (HUB, FOLDER):
        return address.findings
    config, _ = _files(address)
    return config.labels if config else None


def card_for_address(address: Address) -> Card:
    """Return the card for a parsed address. Raises UnusableModel as `addressed_card`."""
    found = examine_weights(address)
    config, file, known = found.config, found.file, found.known
    outputs = address.findings or (config.labels if config else None)
    _check_outputs(address, outputs, known.outputs)
    _check_input(known)
    assert outputs is not None
    function, function_note = (address.function, "") if address.function else output_function(found.losses, outputs)
    return Card(
        name=addressed_name(address),
        title=f"{known.architecture} of {address.place if config else file.name}",
        architecture=known.architecture,
        in_chans=known.in_chans,
        size=known.size,
        mean=known.mean,
        std=known.std,
        weights=str(file.resolve()),
        sha256=found.sha256,
        members=(),
        findings=tuple(filter(None, outputs)),
        views=("PA", "AP", "unknown"),
        films="real",
        heat_maximum=None,
        operating_points=MappingProxyType({}),
        bands=MappingProxyType({}),
        platt=MappingProxyType({}),
        training=(),
        licence=config.licence if config and config.licence else UNKNOWN_LICENSE,
        citation="",
        warnings=MappingProxyType({}),
        cannot_judge=MappingProxyType({}),
        finding_free=None,
        gate=None,
        cohort=None,
        masks=None,
        maps=None,
        files=MappingProxyType({}),
        folder=own_models(),
        outputs=outputs if "" in outputs else (),
        arguments=MappingProxyType(dict(known.arguments) | (config.arguments if config else {})),
        guessed=(*known.guessed, *filter(None, [function_note])),
        function=function,
        state=address.state,
    )


def addressed_name(address: Address) -> str:
    """Return the name under which an addressed model's scores are stored: lowercase letters, digits, dots, hyphens."""
    plain = address.place.rpartition("/")[2] if address.kind else weights_stem(address.place)
    if address.kind == TIMM and address.weights:
        plain = f"{address.place}-{weights_stem(address.weights)}"
    name = re.sub("[^a-z0-9._-]+", "-", (address.name or plain).lower()).strip("-._")
    return re.sub(r"\.\.+", ".", name)[:63] or "model"


def _files(address: Address) -> tuple[TimmConfig | None, Path]:
    """Return timm's config, if any, and the weights file."""
    if address.kind == HUB:
        config = _config(address.text, hub_file(address.place, TIMM_CONFIG, address.text))
        wanted = (address.weights,) if address.weights else WEIGHTS_NAMES
        for at, name in enumerate(wanted):
            try:
                return config, hub_file(address.place, name, f"The weights of {address.place}")
            except UnusableModel:
                if at == len(wanted) - 1:
                    raise
    if address.kind == FOLDER:
        folder = Path(address.place).expanduser()
        names = (address.weights,) if address.weights else WEIGHTS_NAMES
        file = next((folder / name for name in names if (folder / name).is_file()), None)
        if file is None or not (folder / TIMM_CONFIG).is_file():
            raise UnusableModel(
                f"{folder.name} is not a folder of a timm model",
                f"It needs {TIMM_CONFIG} and {' or '.join(names)}. Alternatively, give the path of a weights file.",
            )
        return _config(address.text, folder / TIMM_CONFIG), file
    return None, Path(address.weights or address.place).expanduser()


def _config(text: str, path: Path) -> TimmConfig:
    """Read timm's config.json. Raises UnusableModel if another library wrote it."""
    try:
        stated: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        input_of: dict[str, Any] = stated.get("pretrained_cfg") or stated
        labels = stated.get("label_names") or stated.get("labels") or input_of.get("label_names")
        size = input_of.get("input_size")
        arguments = {name: value for name, value in (stated.get("model_args") or {}).items() if value is not None}
        in_chans = arguments.pop("in_chans", None)  # written by timm.models.save_for_hf; separate fields here
        arguments.pop("num_classes", None)
        if (side := _side(arguments.pop("img_size", None))) is not None:
            size = [side]
        return TimmConfig(
            architecture=str(stated["architecture"]),
            labels=_labels(labels),
            size=int(size[-1]) if size else None,
            mean=tuple(float(each) for each in input_of["mean"]) if input_of.get("mean") else None,
            std=tuple(float(each) for each in input_of["std"]) if input_of.get("std") else None,
            in_chans=int(in_chans) if in_chans is not None else None,
            arguments=check_arguments(arguments),
            licence=str(input_of.get("license") or ""),
        )
    except WrongTable as wrong:
        raise UnusableModel(f"{TIMM_CONFIG} of {text} is invalid", str(wrong)) from wrong
    except (OSError, ValueError, KeyError, TypeError, AttributeError, IndexError, OverflowError) as error:
        raise UnusableModel(
            f"{text} is not a timm model",
            f"Its {TIMM_CONFIG} names no timm architecture ({type(error).__name__}: {str(error)[:80]}). "
            "Other libraries' models cannot be used as classifiers; "
            "give timm weights as timm:ARCHITECTURE?weights=FILE&findings=a,b,c.",
        ) from error


def _labels(labels: object) -> tuple[str, ...] | None:
    """Return the output names if timm lists them, or numbers them without a gap; otherwise None."""
    if isinstance(labels, dict):
        places = [str(place) for place in range(len(labels))]
        labels = [labels[place] for place in places] if set(places) == labels.keys() else None
    return tuple(str(label).strip() for label in labels) if isinstance(labels, list) else None


def _side(size: Any) -> int | None:  # noqa: ANN401 - what JSON holds
    """Return the side of timm's img_size, given as one number or two equal ones. Raises ValueError."""
    if size is None:
        return None
    sides = {int(each) for each in (size if isinstance(size, list) else [size])}
    if len(sides) != 1:
        raise ValueError("img_size is not square")
    return sides.pop()


def _check_outputs(address: Address, outputs: tuple[str, ...] | None, count: int) -> None:
    sign = "&" if "?" in address.text else "?"
    if outputs is None:
        raise UnusableModel(
            f"{address.text[:200]} does not name its {count} outputs",
            f"List their findings in order: {address.text[:200]}{sign}findings=a,b,c in an address, or --findings a,b "
            "for `python -m explorer model new`. An empty name drops an output.",
        )
    named = [each for each in outputs if each]
    remedy = "Name each output once, in order; an empty name drops an untrained output."
    if len(outputs) != count:
        raise UnusableModel(
            f"{len(outputs)} finding{' is' if len(outputs) == 1 else 's are'} named, but the weights have {count} "
            f"output{'' if count == 1 else 's'}",
            remedy,
        )
    if not named:
        raise UnusableModel("No output has a name", remedy)
    if twice := next((each for each in named if named.count(each) > 1), None):
        raise UnusableModel(f"{twice} is named twice", remedy)


def _check_input(known: KnownWeights) -> None:
    """Check the input facts before a card is written. Raises UnusableModel."""
    if not MIN_INPUT_SIDE <= known.size <= MAX_INPUT_SIDE:
        raise UnusableModel(
            f"The input cannot be {known.size} px wide",
            f"Give the side of the square input, {MIN_INPUT_SIDE} to {MAX_INPUT_SIDE:,} pixels.",
        )
    for word, values in (("mean", known.mean), ("std", known.std)):
        if not all(map(math.isfinite, values)) or (word == "std" and min(values) <= 0):
            raise UnusableModel(
                f"{', '.join(map('{:g}'.format, values))} cannot be the {word}",
                f"Give one number, or one per channel ({known.in_chans}), for pixels from 0 to 1"
                f"{', above zero' if word == 'std' else ''}.",
            )
