"""Adds a visitor's own classifier on the page: inspects its file, asks for missing facts, tries and saves it.

The visitor types a local file or folder, or a repository. Only files with a weights extension are opened, and all other
paths get the same answer whether or not they exist, so that typing paths reveals nothing about the disk. No code in a
file is run, and nothing is downloaded.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from explorer.reading.named_outputs import NamedOutputs, named_outputs
from explorer.reading.trial_film import trial_film
from models.cards.address import FOLDER, HUB, TIMM, WEIGHTS_ENDINGS, Address, is_address, parse_address
from models.cards.card import OutputFunction, UnusableModel
from models.cards.foreign_weights import foreign_weights
from models.cards.hub import cache_only
from models.cards.output_function import function_of_losses
from models.cards.plain_file import MAX_WEIGHTS_BYTES
from models.cards.registry import own_names, registered_names

if TYPE_CHECKING:
    from models.classifier.new_model import NewModel

MAX_ADDRESS_CHARS = 4096  # characters typed by the visitor
MAX_OUTPUTS = 1000
_inspection_lock = threading.Lock()  # weights take up much memory, so only one file is inspected at a time


@dataclass(frozen=True, slots=True)
class InspectedModel:
    """Facts read from a model's file; `findings` is empty if its outputs have no names.

    `guessed` explains assumptions in sentences. `registered` is the project's model that a file with this name belongs
    to; nothing else is needed then.
    """

    name: str
    file: str
    registered: str = ""
    architecture: str = ""
    outputs: int = 0
    in_chans: int = 0
    size: int = 0
    mean: tuple[float, ...] = ()
    std: tuple[float, ...] = ()
    guessed: tuple[str, ...] = ()
    findings: tuple[str, ...] = ()
    function: OutputFunction | None = None  # inferred from the loss function named in the file


@dataclass(frozen=True, slots=True)
class VisitorFacts:
    """Facts that a visitor states about a model; missing ones are guessed and reported."""

    findings: Sequence[str] = ()
    architecture: str = ""
    size: int | None = None
    mean: tuple[float, ...] | None = None
    std: tuple[float, ...] | None = None
    name: str = ""
    function: OutputFunction | None = None

    @property
    def named(self) -> NamedOutputs:
        """The model's outputs under Tailscope's names. Raises UnusableModel for an invalid or repeated name."""
        return named_outputs(self.findings)


@dataclass(frozen=True, slots=True)
class AddedModel:
    """A model that was tried and saved, and the interpretation of its outputs."""

    made: NewModel
    outputs: NamedOutputs


def inspect_model(typed: str, architecture: str = "") -> InspectedModel:
    """Inspect a typed path or address. Raises UnusableModel, or MissingArchitecture if the visitor has to state it."""
    address = _address(typed, architecture)
    with _one_at_a_time():
        from models.cards.addressed_card import addressed_name, examine_weights
        from models.classifier.new_model import registered_model_for

        shown = address.place if address.kind in (HUB, TIMM) else Path(address.place).name
        if known := registered_model_for(address):
            return InspectedModel(known, shown, registered=known)
        try:
            found = examine_weights(address)
        except UnusableModel as wrong:
            raise _page_refusal(address, wrong) from wrong
    known_weights, config = found.known, found.config
    if known_weights.outputs > MAX_OUTPUTS:
        raise UnusableModel(
            f"The model has {known_weights.outputs:,} outputs",
            f"The page handles at most {MAX_OUTPUTS:,}. Write a card with `python -m explorer model new` instead.",
        )
    labels = address.findings or (config.labels if config else None) or ()
    return InspectedModel(
        name=addressed_name(address),
        file=shown,
        architecture=known_weights.architecture,
        outputs=known_weights.outputs,
        in_chans=known_weights.in_chans,
        size=known_weights.size,
        mean=known_weights.mean,
        std=known_weights.std,
        guessed=known_weights.guessed,
        findings=named_outputs(labels).findings,
        function=address.function or (losses[0] if (losses := function_of_losses(found.losses)) else None),
    )


def save_model(typed: str, stated: VisitorFacts) -> AddedModel:
    """Try a model and save it under its name. Raises UnusableModel without saving anything."""
    address = _address(typed, stated.architecture)
    outputs = named_outputs(stated.findings or address.findings or ())
    address = replace(
        address,
        findings=outputs.findings or None,
        size=stated.size or address.size,
        mean=stated.mean or address.mean,
        std=stated.std or address.std,
        name=stated.name or address.name,
        function=stated.function or address.function,
    )
    with _one_at_a_time():
        from models.cards.addressed_card import addressed_name
        from models.classifier.new_model import new_model, registered_model_for

        if not registered_model_for(address) and (name := addressed_name(address)) in (
            *registered_names(),
            *own_names(),
        ):
            raise UnusableModel(f"A model {name} already exists", "Choose another name.")
        try:
            return AddedModel(new_model(address, None, trial_film()), outputs)
        except UnusableModel as wrong:
            raise _page_refusal(address, wrong) from wrong
        except OSError as error:
            raise UnusableModel(
                "The model cannot be saved", f"{error.strerror}. Free disk space or make TAILSCOPE_HOME writable."
            ) from error


def _address(typed: str, architecture: str) -> Address:
    """Parse the typed address of a readable weights file or a repository."""
    text = typed.strip().strip('"')
    if foreign := foreign_weights(
        text.partition("?")[0][:MAX_ADDRESS_CHARS]
    ):  # by name only, without touching the disk
        raise foreign
    if not text or len(text) > MAX_ADDRESS_CHARS or "\0" in text or not is_address(text):
        raise _no_weights()
    address = parse_address(text)
    if architecture and not address.kind:
        address = replace(address, architecture=architecture)
    if address.kind == HUB or address.kind == FOLDER:
        if address.weights and (
            set(address.weights) & {"/", "\\"} or not address.weights.lower().endswith(WEIGHTS_ENDINGS)
        ):
            raise _no_weights()
    if address.kind == FOLDER:
        _readable(address.place, folder=True)
    elif address.kind != HUB:
        _readable(address.weights or address.place, folder=False)
    return address


def _readable(typed: str, *, folder: bool) -> None:
    try:
        path = Path(typed)  # ~ is not expanded, because it would reveal the user's home
        there = path.is_absolute() and (_has_weights(path) if folder else path.is_file()) and os.access(path, os.R_OK)
        size = 0 if folder or not there else path.stat().st_size
    except (OSError, RuntimeError):  # for example a name that is too long
        there, size = False, 0
    if not there or not (folder or path.name.lower().endswith(WEIGHTS_ENDINGS)):
        raise _no_weights()
    if size > MAX_WEIGHTS_BYTES:
        raise UnusableModel(
            f"{path.name} is larger than {MAX_WEIGHTS_BYTES >> 30} GB", "Weights of that size cannot be read."
        )


def _has_weights(folder: Path) -> bool:
    """Return whether the folder holds weights; any other folder counts as missing."""
    return folder.is_dir() and any(each.name.lower().endswith(WEIGHTS_ENDINGS) for each in folder.iterdir())


def _no_weights() -> UnusableModel:
    return UnusableModel(
        "That is not a readable weights file",
        f"Type the full path of a file on the machine that runs Tailscope, ending in {', '.join(WEIGHTS_ENDINGS)}, "
        "such as /data/resnet18.pth. Or give an address: "
        "timm:ARCHITECTURE?weights=FILE, hf-hub:OWNER/REPOSITORY, local-dir:FOLDER.",
    )


def _page_refusal(address: Address, wrong: UnusableModel) -> UnusableModel:
    """Return the refusal; for a missing repository, with the command to download it, which the page cannot do."""
    if address.kind == HUB and "could not be downloaded" in wrong.title:
        return UnusableModel(
            f"hf-hub:{address.place} is not on this machine",
            "The page does not download repositories. With a network connection, run `python -m explorer model new "
            f"hf-hub:{address.place}`, with --findings a,b,c if it has no names; then choose it from the list.",
        )
    return wrong


@contextmanager
def _one_at_a_time() -> Iterator[None]:
    if not _inspection_lock.acquire(blocking=False):
        raise UnusableModel("Another model is being inspected", "Wait until that is done, then try again.")
    try:
        with cache_only():
            yield
    finally:
        _inspection_lock.release()
