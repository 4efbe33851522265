"""A classifier named by an address in place of a card: where its weights are, and what else has to be known.

`timm:ARCHITECTURE?weights=FILE&findings=a,b,c`, `FILE?findings=a,b,c`, `hf-hub:OWNER/REPOSITORY` and
`local-dir:FOLDER` with timm's config.json. Importing this brings no torch; making a card of an address does.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import cast, get_args
from urllib.parse import parse_qsl

from models.cards.card import Function, UnusableModel

TIMM, HUB, FOLDER = "timm:", "hf-hub:", "local-dir:"
WEIGHTS = (".safetensors", ".pt", ".pth", ".bin", ".ckpt", ".pth.tar")
WORDS = ("weights", "architecture", "findings", "size", "mean", "std", "in_chans", "name", "state", "function")
EXAMPLE = "timm:resnet50?weights=model.pth&findings=Mass,Nodule&size=224"


@dataclass(frozen=True, slots=True)
class Address:
    """An address taken apart; what it does not say is None. An empty finding is an output that is dropped."""

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
    state: str = ""  # of several sets of weights in the file the one that is meant
    function: Function | None = None  # what makes scores of the outputs


def is_address(name: str) -> bool:
    """Whether a model's name is an address of a classifier or, by hf-hub: and local-dir:, may be one."""
    return name.startswith((TIMM, HUB, FOLDER)) or name.partition("?")[0].lower().endswith(WEIGHTS)


def parsed(text: str) -> Address:
    """The parts of an address. Raises UnusableModel where a part is unknown, missing or no number."""
    before, _, query = text.partition("?")
    said = _words(text, query)
    kind = next((each for each in (TIMM, HUB, FOLDER) if before.startswith(each)), "")
    place = before.removeprefix(kind).rstrip("/" if kind else "")
    if not place or (kind == HUB and place.count("/") != 1):
        raise _wrong(text, "It names nothing")
    if kind == TIMM and "weights" not in said:
        raise _wrong(text, "It does not say which file holds the weights: add weights=FILE")
    if kind in (TIMM, HUB, FOLDER) and "architecture" in said:
        raise _wrong(text, "In it architecture= belongs to a file alone")
    return Address(
        text=text,
        kind=kind,
        place=place,
        weights=said.get("weights"),
        architecture=place if kind == TIMM else said.get("architecture"),
        findings=tuple(each.strip() for each in said["findings"].split(",")) if said.get("findings") else None,
        size=_whole(text, said, "size"),
        mean=_numbers(text, said, "mean"),
        std=_numbers(text, said, "std"),
        in_chans=_whole(text, said, "in_chans"),
        name=said.get("name"),
        state=said.get("state", ""),
        function=_function(text, said),
    )


def _words(text: str, query: str) -> dict[str, str]:
    said = dict(parse_qsl(query, keep_blank_values=True))
    if strangers := sorted(said.keys() - set(WORDS)):
        raise _wrong(text, f"In it {', '.join(strangers)} is no part of one; there are {', '.join(WORDS)}")
    return said


def _whole(text: str, said: Mapping[str, str], word: str) -> int | None:
    if word not in said:
        return None
    if not said[word].isascii() or not said[word].isdigit():
        raise _wrong(text, f"In it {word}={said[word]} is no whole number")
    return int(said[word])


def _numbers(text: str, said: Mapping[str, str], word: str) -> tuple[float, ...] | None:
    if word not in said:
        return None
    try:
        return tuple(float(each) for each in said[word].split(","))
    except ValueError as error:
        raise _wrong(text, f"In it {word}={said[word]} are no numbers with commas between them") from error


def function_of(word: str) -> Function | None:
    """The function of this name; None where there is no such."""
    return cast("Function", word) if word in get_args(Function) else None


def _function(text: str, said: Mapping[str, str]) -> Function | None:
    if "function" not in said:
        return None
    if (found := function_of(said["function"])) is None:
        raise _wrong(text, f"In it function={said['function']} is neither sigmoid nor softmax")
    return found


def _wrong(text: str, why: str) -> UnusableModel:
    return UnusableModel(f"{text[:200]!r} is no address of a model", f"{why}. Example: {EXAMPLE}")


def stem_of(file: str) -> str:
    """The name of a weights file without its ending."""
    name = Path(file).name
    ending = next((each for each in sorted(WEIGHTS, key=len, reverse=True) if name.lower().endswith(each)), "")
    return name[: len(name) - len(ending)]
