"""A model of the user's own, from a weights file to a name: its card is written, loaded and tried before it counts."""

from __future__ import annotations

import errno
import hashlib
import shutil
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from safetensors import SafetensorError
from safetensors.torch import save_file
from torch import Tensor

from models.cards.address import Address
from models.cards.addressed_card import card_of, name_of
from models.cards.card import Card, UnusableModel
from models.cards.card_file import card_text
from models.cards.classifier_card import card
from models.cards.home import downloads, own_models
from models.cards.plain_file import weights_content
from models.cards.registry import REGISTRY, names
from models.cards.weights_file import loaded
from models.classifier.classifier import Classifier
from models.classifier.ensemble import AnyClassifier
from models.radiograph import Radiograph
from models.whole_file import atomic_write


@dataclass(frozen=True, slots=True)
class NewModel:
    """A model that can be asked for by its name; `scores` are those of the film that it was tried on."""

    card: Card
    file: Path  # of its card
    scores: Mapping[str, float]
    registered: bool  # the file was one that a registered model waits for: no card was written


def new_model(address: Address, title: str | None, film: Radiograph, *, replace_it: bool = False) -> NewModel:
    """The model of an address under a name of its own, its weights copied beside its card in TAILSCOPE_HOME.

    Raises UnusableModel where something is missing, nothing fits, or there is another model of that name.
    """
    if known := registered(address):
        return _put_in_place(known, Path(address.place).expanduser(), film)
    name = name_of(address)
    file = own_models() / f"{name}.toml"
    if name in names() or (file.exists() and not replace_it):
        remedy = "" if name in names() else ", or --replace to write it anew"
        raise UnusableModel(f"There is a model {name} already", f"Give another name with --name{remedy}.")
    found = replace(card_of(address), name=name)
    if title:
        found = replace(found, title=title)
    _, state = loaded(found)
    weights = own_models() / f"{name}.safetensors"
    own_models().mkdir(mode=0o700, parents=True, exist_ok=True)
    with atomic_write(weights) as partial:
        _save(state, partial)
        found = replace(found, state="", weights=weights.name, sha256=hashlib.sha256(partial.read_bytes()).hexdigest())
        model = Classifier(found, state, "cpu")  # what does not fit is said before anything is kept
        scores = tried(model, film)
    with atomic_write(file) as partial:
        partial.write_text(card_text(found), encoding="utf-8")
    return NewModel(card(name), file, scores, registered=False)


def _save(state: Mapping[str, Tensor], file: Path) -> None:
    """Write the weights. Raises OSError where they cannot be, as when the disk is full."""
    try:
        save_file({key: _alone(tensor) for key, tensor in state.items()}, file)
    except SafetensorError as error:  # what safetensors makes of the file system's errors
        raise OSError(errno.EIO, f"The weights cannot be written: {error}") from error


def tried(model: AnyClassifier, film: Radiograph) -> dict[str, float]:
    """The scores of a film by finding. Raises UnusableModel where they are no numbers."""
    scores, features = model.read(film)
    if not (np.isfinite(scores).all() and np.isfinite(features).all()):
        raise UnusableModel(
            f"{model.card.name} gives no finite scores", "Its weights are damaged, or its input is scaled wrongly."
        )
    return dict(zip(model.findings, map(float, scores), strict=True))


def registered(address: Address) -> str | None:
    """The registered model whose file this is, by the name that its makers gave the file."""
    if address.kind or address.findings:
        return None
    cards = (card(name) for name in names("classifier"))
    return next(
        (each.name for each in cards if each.download and Path(each.weights).name == Path(address.place).name), None
    )


def _put_in_place(name: str, file: Path, film: Radiograph) -> NewModel:
    about = card(name)
    target = downloads() / Path(about.weights).name
    if not file.is_file():
        raise UnusableModel(f"There are no weights at {file}", "Correct the path of the file.")
    if file.resolve() != target.resolve():
        target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with atomic_write(target) as partial:
            shutil.copyfile(file, partial)
            about = replace(about, weights=str(partial))
            scores = _checked(about, partial, film)
    else:
        scores = _checked(about, target, film)
    return NewModel(card(name), REGISTRY / f"{name}.toml", scores, registered=True)


def _checked(about: Card, file: Path, film: Radiograph) -> dict[str, float]:
    from models.cards.weights_file import read_weights

    state = read_weights(Path(card(about.name).weights).name, weights_content(file)).tensors
    return tried(Classifier(about, state, "cpu"), film)


def _alone(tensor: Tensor) -> Tensor:
    """A copy that shares no memory with another one, as safetensors wants it."""
    return tensor.detach().clone().contiguous()
