"""Weights of a classifier that do not come with this project: where they may already lie, and fetching them."""

from __future__ import annotations

import urllib.request
from collections.abc import Callable
from http.client import HTTPException, HTTPResponse
from pathlib import Path

from models.cards.card import Card, UnusableModel, local_path
from models.cards.home import downloads
from models.whole_file import replaced

CHUNK = 1 << 20
WAIT = 30  # seconds for the next bytes
OnBytes = Callable[[int, int], None]  # done, of
_under_way: dict[str, tuple[int, int]] = {}  # by model, bytes of the download that is running


def under_way(model: str) -> float | None:
    """How much of a model's weights is here, from 0 to 1, while they are fetched; None where they are not."""
    done, of = _under_way.get(model, (0, 0))
    return min(1.0, done / of) if of else None


def weights_path(card: Card, progress: OnBytes = lambda done, of: None) -> Path:
    """The file of a card's weights, fetched where the card says from where and it is not here. Raises UnusableModel."""
    here = here_already(card)
    if here is not None:
        return here
    if card.download is None:
        return card.local_file(card.weights)
    return _fetched(card, downloads() / Path(card.weights).name, progress)


def here_already(card: Card) -> Path | None:
    """The file of its weights where no network is needed for it; None where there is none."""
    try:
        return local_path(card.name, card.folder, card.weights)
    except UnusableModel:
        # torchxrayvision keeps what it downloads in a folder of its own.
        theirs = Path("~/.torchxrayvision/models_data").expanduser()
        files = [place / Path(card.weights).name for place in (downloads(), theirs)]
        return next((file for file in files if card.download and file.is_file()), None)


def _fetched(card: Card, target: Path, progress: OnBytes) -> Path:
    address = card.download.address if card.download else ""
    try:
        if not address.startswith("https://"):
            raise ValueError(address)
        target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with urllib.request.urlopen(address, timeout=WAIT) as answer, replaced(target) as partial:
            _copied(answer, partial, _megabytes(card) << 20, _told(card.name, progress))
    except (OSError, ValueError, HTTPException) as error:  # URLError is an OSError
        raise not_here(card, f"It cannot be reached ({_reason(error)})") from error
    finally:
        _under_way.pop(card.name, None)
    return target


def _told(model: str, progress: OnBytes) -> OnBytes:
    """Tells `under_way` too."""

    def told(done: int, of: int) -> None:
        _under_way[model] = (done, of)
        progress(done, of)

    return told


def _copied(answer: HTTPResponse, partial: Path, expected: int, progress: OnBytes) -> None:
    """What is sent, whole; raises ValueError for far more than was expected, and for less than was announced."""
    announced = int(answer.headers.get("Content-Length") or 0)
    most, done = max(2 * expected, CHUNK), 0
    if announced > most:
        raise ValueError(f"{announced:,} bytes are offered where about {expected:,} are expected")
    with partial.open("wb") as file:
        while chunk := answer.read(CHUNK):
            done += file.write(chunk)
            if done > most:
                raise ValueError(f"more than {most:,} bytes are sent where about {expected:,} are expected")
            progress(done, announced or expected)
    if done < announced:
        raise ValueError(f"the download ended after {done:,} of {announced:,} bytes")


def not_here(card: Card, cause: str) -> UnusableModel:
    """The refusal of a classifier that has to be fetched and cannot be; `cause` is a short clause."""
    command = card.download.command if card.download else ""
    return UnusableModel(
        f"{card.name} is not on this machine and could not be downloaded",
        f"It is about {_megabytes(card):,} MB, licence: {card.licence}. {cause}. On a machine with a network run "
        f"`{command}`, copy the file into {downloads()} here and choose {card.name} again. With a network here, choose "
        "it again.",
    )


def _megabytes(card: Card) -> int:
    return card.download.megabytes if card.download else 0


def _reason(error: Exception) -> str:
    return str(getattr(error, "reason", "") or error)[:120] or type(error).__name__
