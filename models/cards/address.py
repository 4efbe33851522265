"""Classifier addresses, usable in place of a card: where the weights are, and the facts a card would state.

`timm:ARCHITECTURE?weights=FILE&findings=a,b,c`, `FILE?findings=a,b,c`, `hf-hub:OWNER/REPOSITORY` and
`local-dir:FOLDER` with timm's config.json. Importing this module does not import torch; making a card does.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import cast, get_args
from urllib.parse import parse_qsl

from models.cards.card import OutputFunction, UnusableModel

TIMM, HUB, FOLDER = "timm:", "hf-hub:", "local-dir:"
WEIGHTS_ENDINGS = (".safetensors", ".pt", ".pth", ".bin", ".ckpt", ".pth.tar")
ADDRESS_KEYS = ("weights", "architecture", "findings", "size", "mean", "std", "in_chans", "name", "state", "function")
EXAMPLE_ADDRESS = "timm:resnet50?weights=model.pth&findings=Mass,Nodule&size=224"


@dataclass(frozen=True, slots=True)
class Address:
    """A parsed address; unstated parts are None. An empty finding drops its output."""

    text: str
    kind: str  # TIMM, HUB, FOLDER, or "" for a file
    place: str  # the architecture, the repository, the folder or the file
    weights: str | None
    architecture: str | None
    findings: tuple[str, ...] | None
    size: int | None
    mean: tuple[float, ...] | None
    std: tuple[float, ...] | None
    in_chans: int | None
    name: str | None
    state: str = ""  # which of several sets of weights in the file to use
    function: OutputFunction | None = None  # turns outputs into scores


def is_address(name: str) -> bool:
    """Return whether a model's name is a classifier's address or may be one (with hf-hub: or local-dir:)."""
    return name.startswith((TIMM, HUB, FOLDER)) or name.partition("?")[0].lower().endswith(WEIGHTS_ENDINGS)


def parse_address(text: str) -> Address:
    """Return an address's parts. Raises UnusableModel if one is unknown, missing, or not a number where it must be."""
    before, _, query = text.partition("?")
    parts = _query_parts(text, query)
    kind = next((each for each in (TIMM, HUB, FOLDER) if before.startswith(each)), "")
    place = before.removeprefix(kind).rstrip("/" if kind else "")
    if not place or (kind == HUB and place.count("/") != 1):
        raise _not_an_address(text, "It names no file, repository or folder")
    if kind == TIMM and "weights" not in parts:
        raise _not_an_address(text, "It does not name the weights file: add weights=FILE")
    if kind in (TIMM, HUB, FOLDER) and "architecture" in parts:
        raise _not_an_address(text, "architecture= is allowed only for a file")
    return Address(
        text=text,
        kind=kind,
        place=place,
        weights=parts.get("weights"),
        architecture=place if kind == TIMM else parts.get("architecture"),
        findings=tuple(each.strip() for each in parts["findings"].split(",")) if parts.get("findings") else None,
        size=_integer_part(text, parts, "size"),
        mean=_number_parts(text, parts, "mean"),
        std=_number_parts(text, parts, "std"),
        in_chans=_integer_part(text, parts, "in_chans"),
        name=parts.get("name"),
        state=parts.get("state", ""),
        function=_function_part(text, parts),
    )


def _query_parts(text: str, query: str) -> dict[str, str]:
    parts = dict(parse_qsl(query, keep_blank_values=True))
    if unknown := sorted(parts.keys() - set(ADDRESS_KEYS)):
        raise _not_an_address(
            text, f"{', '.join(unknown)} is not a known part; the known parts are {', '.join(ADDRESS_KEYS)}"
        )
    return parts


def _integer_part(text: str, parts: Mapping[str, str], key: str) -> int | None:
    if key not in parts:
        return None
    if not parts[key].isascii() or not parts[key].isdigit():
        raise _not_an_address(text, f"{key}={parts[key]} is not a whole number")
    return int(parts[key])


def _number_parts(text: str, parts: Mapping[str, str], key: str) -> tuple[float, ...] | None:
    if key not in parts:
        return None
    try:
        return tuple(float(each) for each in parts[key].split(","))
    except ValueError as error:
        raise _not_an_address(text, f"{key}={parts[key]} is not a list of numbers separated by commas") from error


def function_named(key: str) -> OutputFunction | None:
    """Return the function with this name; None if there is none."""
    return cast("OutputFunction", key) if key in get_args(OutputFunction) else None


def _function_part(text: str, parts: Mapping[str, str]) -> OutputFunction | None:
    if "function" not in parts:
        return None
    if (found := function_named(parts["function"])) is None:
        raise _not_an_address(text, f"function={parts['function']} is neither sigmoid nor softmax")
    return found


def _not_an_address(text: str, why: str) -> UnusableModel:
    return UnusableModel(f"{text[:200]!r} is not a model address", f"{why}. Example: {EXAMPLE_ADDRESS}")


def weights_stem(file: str) -> str:
    """Return the name of a weights file without its extension."""
    name = Path(file).name
    ending = next((each for each in sorted(WEIGHTS_ENDINGS, key=len, reverse=True) if name.lower().endswith(each)), "")
    return name[: len(name) - len(ending)]
