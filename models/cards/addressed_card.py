"""The card of a classifier that is named by an address: from its weights, timm's config beside them, and guesses."""

from __future__ import annotations

import hashlib
import json
import math
import re
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from models.cards.address import FOLDER, HUB, TIMM, Address, parsed, stem_of
from models.cards.arguments import checked_arguments
from models.cards.card import LARGEST, SMALLEST, Card, UnusableModel
from models.cards.home import own_models
from models.cards.hub import hub_file
from models.cards.output_function import output_function
from models.cards.plain_file import weights_content
from models.cards.toml_table import WrongTable

if TYPE_CHECKING:
    from models.classifier.known_weights import KnownWeights

CONFIG = "config.json"
WEIGHTS_BESIDE = ("model.safetensors", "pytorch_model.bin")
NOT_KNOWN = "not known here: see where the weights come from"


@dataclass(frozen=True, slots=True)
class Config:
    """What timm's config.json beside weights says."""

    architecture: str
    labels: tuple[str, ...] | None
    size: int | None
    mean: tuple[float, ...] | None
    std: tuple[float, ...] | None
    in_chans: int | None
    arguments: dict[str, object]
    licence: str


def addressed_card(text: str) -> Card:
    """The card of an address. Raises UnusableModel, with what is missing and how it is said."""
    return card_of(parsed(text))


@dataclass(frozen=True, slots=True)
class Examined:
    """What a file of weights and timm's config beside it say by themselves."""

    config: Config | None
    file: Path
    sha256: str
    known: KnownWeights
    losses: tuple[str, ...]  # by name, that the file says it was trained with


def examined(address: Address) -> Examined:
    """The weights of an address, looked into and not kept. Raises UnusableModel where they cannot be read."""
    from models.cards.weights_file import read_weights  # brings torch
    from models.classifier.known_weights import Said, known_weights

    config, file = _files(address)
    content = weights_content(file)
    weights = read_weights(file.name, content, address.state)
    said = Said(address.architecture, address.size, address.mean, address.std, address.in_chans)
    if config is not None:
        said = replace(
            said,
            architecture=config.architecture,
            size=said.size or config.size,
            mean=said.mean or config.mean,
            std=said.std or config.std,
            in_chans=said.in_chans or config.in_chans,
        )
    known = known_weights(file.name if config is None else address.place, weights.tensors, said)
    if weights.beside and not address.state:
        words = f"Weights {weights.taken}, not {' or '.join(weights.beside)} beside them (state={weights.beside[0]})."
        known = replace(known, guessed=(words, *known.guessed))
    return Examined(config, file, hashlib.sha256(content).hexdigest(), known, weights.losses)


def labels_of(address: Address) -> tuple[str, ...] | None:
    """What the address, or timm's config beside the weights, calls the outputs; None where neither does."""
    if address.findings is not None or address.kind not in (HUB, FOLDER):
        return address.findings
    config, _ = _files(address)
    return config.labels if config else None


def card_of(address: Address) -> Card:
    """The same of an address that was taken apart."""
    found = examined(address)
    config, file, known = found.config, found.file, found.known
    outputs = address.findings or (config.labels if config else None)
    _check_outputs(address, outputs, known.outputs)
    _check_input(known)
    assert outputs is not None
    function, of_function = (address.function, "") if address.function else output_function(found.losses, outputs)
    return Card(
        name=name_of(address),
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
        licence=config.licence if config and config.licence else NOT_KNOWN,
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
        guessed=(*known.guessed, *filter(None, [of_function])),
        function=function,
        state=address.state,
    )


def name_of(address: Address) -> str:
    """What scores of an addressed model are kept under: lowercase letters, digits, dots and hyphens."""
    plain = address.place.rpartition("/")[2] if address.kind else stem_of(address.place)
    if address.kind == TIMM and address.weights:
        plain = f"{address.place}-{stem_of(address.weights)}"
    name = re.sub("[^a-z0-9._-]+", "-", (address.name or plain).lower()).strip("-._")
    return re.sub(r"\.\.+", ".", name)[:63] or "model"


def _files(address: Address) -> tuple[Config | None, Path]:
    """timm's config, where there is one, and the file of the weights."""
    if address.kind == HUB:
        config = _config(address.text, hub_file(address.place, CONFIG, address.text))
        wanted = (address.weights,) if address.weights else WEIGHTS_BESIDE
        for at, name in enumerate(wanted):
            try:
                return config, hub_file(address.place, name, f"The weights of {address.place}")
            except UnusableModel:
                if at == len(wanted) - 1:
                    raise
    if address.kind == FOLDER:
        folder = Path(address.place).expanduser()
        names = (address.weights,) if address.weights else WEIGHTS_BESIDE
        file = next((folder / name for name in names if (folder / name).is_file()), None)
        if file is None or not (folder / CONFIG).is_file():
            raise UnusableModel(
                f"{folder.name} is not a folder of a timm model",
                f"It holds {CONFIG} and {' or '.join(names)}. Give a file of weights by its path instead.",
            )
        return _config(address.text, folder / CONFIG), file
    return None, Path(address.weights or address.place).expanduser()


def _config(text: str, path: Path) -> Config:
    """What timm wrote there. Raises UnusableModel for another library's."""
    try:
        said: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        input_of: dict[str, Any] = said.get("pretrained_cfg") or said
        labels = said.get("label_names") or said.get("labels") or input_of.get("label_names")
        size = input_of.get("input_size")
        arguments = {name: value for name, value in (said.get("model_args") or {}).items() if value is not None}
        in_chans = arguments.pop("in_chans", None)  # timm.models.save_for_hf writes both; they have places of their own
        arguments.pop("num_classes", None)
        if (side := _side(arguments.pop("img_size", None))) is not None:
            size = [side]
        return Config(
            architecture=str(said["architecture"]),
            labels=_labels(labels),
            size=int(size[-1]) if size else None,
            mean=tuple(float(each) for each in input_of["mean"]) if input_of.get("mean") else None,
            std=tuple(float(each) for each in input_of["std"]) if input_of.get("std") else None,
            in_chans=int(in_chans) if in_chans is not None else None,
            arguments=checked_arguments(arguments),
            licence=str(input_of.get("license") or ""),
        )
    except WrongTable as wrong:
        raise UnusableModel(f"{CONFIG} of {text} is not right", str(wrong)) from wrong
    except (OSError, ValueError, KeyError, TypeError, AttributeError, IndexError, OverflowError) as error:
        raise UnusableModel(
            f"{text} is no model of timm",
            f"Its {CONFIG} names no timm architecture ({type(error).__name__}: {str(error)[:80]}). Other libraries' "
            "models cannot be read as classifiers; give timm weights by timm:ARCHITECTURE?weights=FILE&findings=a,b,c.",
        ) from error


def _labels(labels: object) -> tuple[str, ...] | None:
    """The names of the outputs, where timm has them as a list or by number; None for anything else, or a gap."""
    if isinstance(labels, dict):
        places = [str(place) for place in range(len(labels))]
        labels = [labels[place] for place in places] if set(places) == labels.keys() else None
    return tuple(str(label).strip() for label in labels) if isinstance(labels, list) else None


def _side(size: Any) -> int | None:  # noqa: ANN401 - what JSON holds
    """The side of timm's img_size, one number or two equal ones. Raises ValueError."""
    if size is None:
        return None
    sides = {int(each) for each in (size if isinstance(size, list) else [size])}
    if len(sides) != 1:
        raise ValueError("img_size is not that of a square")
    return sides.pop()


def _check_outputs(address: Address, outputs: tuple[str, ...] | None, count: int) -> None:
    sign = "&" if "?" in address.text else "?"
    if outputs is None:
        raise UnusableModel(
            f"{address.text[:200]} does not say what its {count} outputs are",
            f"Name their findings, in order: {address.text[:200]}{sign}findings=a,b,c as an address, or --findings a,b "
            "of `python -m explorer model new`. An empty name drops an output.",
        )
    named = [each for each in outputs if each]
    remedy = "Name each output once, in order; an empty name drops one that nobody trained."
    if len(outputs) != count:
        raise UnusableModel(
            f"{len(outputs)} finding{' is' if len(outputs) == 1 else 's are'} named, and the weights have {count} "
            f"output{'' if count == 1 else 's'}",
            remedy,
        )
    if not named:
        raise UnusableModel("No output has a name", remedy)
    if twice := next((each for each in named if named.count(each) > 1), None):
        raise UnusableModel(f"{twice} is named twice", remedy)


def _check_input(known: KnownWeights) -> None:
    """What a card may say of the input, before one is written."""
    if not SMALLEST <= known.size <= LARGEST:
        raise UnusableModel(
            f"The input cannot have {known.size} px",
            f"Give the side of the square input, {SMALLEST} to {LARGEST:,} pixels.",
        )
    for word, values in (("mean", known.mean), ("std", known.std)):
        if not all(map(math.isfinite, values)) or (word == "std" and min(values) <= 0):
            raise UnusableModel(
                f"{', '.join(map('{:g}'.format, values))} cannot be the {word}",
                f"Give one number, or one for each of the {known.in_chans} channels, of pixels from 0 to 1"
                f"{', above zero' if word == 'std' else ''}.",
            )
