"""A classifier that a visitor adds on the page: looked at, asked about what its file does not tell, tried and kept.

What is typed names a file or a folder of this machine, or a repository. Of the machine's files only those are opened
that are called as weights are, and what is no such file, or not there, or not readable, gets one and the same answer:
whoever types paths learns nothing of the disk. Nothing in a file is run, and nothing is fetched.
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

LONGEST = 4096  # characters of what is typed
MOST_OUTPUTS = 1000
_one = threading.Lock()  # a file of weights fills memory: one is looked at, at a time


@dataclass(frozen=True, slots=True)
class Recognized:
    """What is known of a model before anybody was asked; `findings` are empty where its outputs have no names.

    `guessed` says in sentences where the rest comes from. `registered_model_for` is the model that is this project's,
    whose file it is by its name: then nothing else has to be known.
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
    function: OutputFunction | None = None  # that the loss in its file tells


@dataclass(frozen=True, slots=True)
class Told:
    """What a visitor says of a model; what is left out is guessed, and said."""

    findings: Sequence[str] = ()
    architecture: str = ""
    size: int | None = None
    mean: tuple[float, ...] | None = None
    std: tuple[float, ...] | None = None
    name: str = ""
    function: OutputFunction | None = None

    @property
    def named(self) -> NamedOutputs:
        """Its outputs by our names. Raises UnusableModel where one is no name, or there twice."""
        return named_outputs(self.findings)


@dataclass(frozen=True, slots=True)
class Added:
    """A model that was tried and kept, and how its outputs were read."""

    made: NewModel
    outputs: NamedOutputs


def recognized(typed: str, architecture: str = "") -> Recognized:
    """What is at a typed path or address. Raises UnusableModel; MissingArchitecture where that has to be said."""
    address = _address(typed, architecture)
    with _alone():
        from models.cards.addressed_card import addressed_name, examine_weights
        from models.classifier.new_model import registered_model_for

        shown = address.place if address.kind in (HUB, TIMM) else Path(address.place).name
        if known := registered_model_for(address):
            return Recognized(known, shown, registered=known)
        try:
            found = examine_weights(address)
        except UnusableModel as wrong:
            raise _of_the_page(address, wrong) from wrong
    known_weights, config = found.known, found.config
    if known_weights.outputs > MOST_OUTPUTS:
        raise UnusableModel(
            f"It has {known_weights.outputs:,} outputs",
            f"More than {MOST_OUTPUTS:,} cannot be named here; write its card by `python -m explorer model new`.",
        )
    labels = address.findings or (config.labels if config else None) or ()
    return Recognized(
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
        function=address.function or (told[0] if (told := function_of_losses(found.losses)) else None),
    )


def added(typed: str, told: Told) -> Added:
    """Keep a model under its name once it was tried. Raises UnusableModel; then nothing was kept."""
    address = _address(typed, told.architecture)
    outputs = named_outputs(told.findings or address.findings or ())
    address = replace(
        address,
        findings=outputs.findings or None,
        size=told.size or address.size,
        mean=told.mean or address.mean,
        std=told.std or address.std,
        name=told.name or address.name,
        function=told.function or address.function,
    )
    with _alone():
        from models.cards.addressed_card import addressed_name
        from models.classifier.new_model import new_model, registered_model_for

        if not registered_model_for(address) and (name := addressed_name(address)) in (
            *registered_names(),
            *own_names(),
        ):
            raise UnusableModel(f"There is a model {name} already", "Give this one another name.")
        try:
            return Added(new_model(address, None, trial_film()), outputs)
        except UnusableModel as wrong:
            raise _of_the_page(address, wrong) from wrong
        except OSError as error:
            raise UnusableModel(
                "The model cannot be kept", f"{error.strerror}. Make room or a way for TAILSCOPE_HOME to be written."
            ) from error


def _address(typed: str, architecture: str) -> Address:
    """What was typed, taken apart, where it names a file of weights that can be read here, or a repository."""
    text = typed.strip().strip('"')
    if foreign := foreign_weights(text.partition("?")[0][:LONGEST]):  # by its name alone: the disk is not asked
        raise foreign
    if not text or len(text) > LONGEST or "\0" in text or not is_address(text):
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
        path = Path(typed)  # no ~: what it stands for is nobody's to learn
        there = path.is_absolute() and (_has_weights(path) if folder else path.is_file()) and os.access(path, os.R_OK)
        size = 0 if folder or not there else path.stat().st_size
    except (OSError, RuntimeError):  # of a name that is too long, or a home that is not known
        there, size = False, 0
    if not there or not (folder or path.name.lower().endswith(WEIGHTS_ENDINGS)):
        raise _no_weights()
    if size > MAX_WEIGHTS_BYTES:
        raise UnusableModel(
            f"{path.name} is larger than {MAX_WEIGHTS_BYTES >> 30} GB", "Weights of that size are not read here."
        )


def _has_weights(folder: Path) -> bool:
    """Whether it is a folder of a model; one of something else is as good as none."""
    return folder.is_dir() and any(each.name.lower().endswith(WEIGHTS_ENDINGS) for each in folder.iterdir())


def _no_weights() -> UnusableModel:
    return UnusableModel(
        "That is not a file of weights that can be read here",
        f"Type the full path of a file on the machine that runs Tailscope, ending in {', '.join(WEIGHTS_ENDINGS)}, "
        "such as /data/resnet18.pth. Or give an address: "
        "timm:ARCHITECTURE?weights=FILE, hf-hub:OWNER/REPOSITORY, local-dir:FOLDER.",
    )


def _of_the_page(address: Address, wrong: UnusableModel) -> UnusableModel:
    """A refusal, where a repository is not here with the command that fetches it: the page fetches none."""
    if address.kind == HUB and "could not be downloaded" in wrong.title:
        return UnusableModel(
            f"hf-hub:{address.place} is not on this machine",
            "The page fetches no repository by its address. Where there is a network, `python -m explorer model new "
            f"hf-hub:{address.place}` does, with --findings a,b,c where it has no names; then choose it from the list.",
        )
    return wrong


@contextmanager
def _alone() -> Iterator[None]:
    if not _one.acquire(blocking=False):
        raise UnusableModel("Another model is being looked at", "Wait until that is done, then try again.")
    try:
        with cache_only():
            yield
    finally:
        _one.release()
