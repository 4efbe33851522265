"""Finds or downloads a classifier's weights that do not ship with Tailscope."""

from __future__ import annotations

import urllib.request
from collections.abc import Callable
from http.client import HTTPException, HTTPResponse
from pathlib import Path

from models.cards.card import Card, UnusableModel, local_path
from models.cards.home import downloads
from models.whole_file import atomic_write

CHUNK_BYTES = 1 << 20
TIMEOUT_SECONDS = 30  # seconds without data
ByteProgress = Callable[[int, int], None]  # bytes done, bytes in total
_running: dict[str, tuple[int, int]] = {}  # bytes done and in total of running downloads, by model


def download_share(model: str) -> float | None:
    """Return the fraction of a model's weights downloaded so far, 0 to 1; None if no download is running."""
    done, of = _running.get(model, (0, 0))
    return min(1.0, done / of) if of else None


def weights_path(card: Card, progress: ByteProgress = lambda done, of: None) -> Path:
    """Return the file with a card's weights, downloading it if the card names a source. Raises UnusableModel."""
    here = local_weights(card)
    if here is not None:
        return here
    if card.download is None:
        return card.local_file(card.weights)
    return _downloaded(card, downloads() / Path(card.weights).name, progress)


def local_weights(card: Card) -> Path | None:
    """Return the weights file if it is on this machine; otherwise None."""
    try:
        return local_path(card.name, card.folder, card.weights)
    except UnusableModel:
        # torchxrayvision keeps downloads in a folder of its own.
        theirs = Path("~/.torchxrayvision/models_data").expanduser()
        files = [place / Path(card.weights).name for place in (downloads(), theirs)]
        return next((file for file in files if card.download and file.is_file()), None)


def _downloaded(card: Card, target: Path, progress: ByteProgress) -> Path:
    address = card.download.address if card.download else ""
    try:
        if not address.startswith("https://"):
            raise ValueError(address)
        target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with urllib.request.urlopen(address, timeout=TIMEOUT_SECONDS) as answer, atomic_write(target) as partial:
            _save(answer, partial, _megabytes(card) << 20, _recording(card.name, progress))
    except (OSError, ValueError, HTTPException) as error:  # URLError is an OSError
        raise download_refusal(card, f"The download failed ({_reason(error)})") from error
    finally:
        _running.pop(card.name, None)
    return target


def _recording(model: str, progress: ByteProgress) -> ByteProgress:
    """Return a callback that also updates `download_share`."""

    def record(done: int, of: int) -> None:
        _running[model] = (done, of)
        progress(done, of)

    return record


def _save(answer: HTTPResponse, partial: Path, expected: int, progress: ByteProgress) -> None:
    """Save the response; raises ValueError if it is far larger than expected or shorter than announced."""
    announced = int(answer.headers.get("Content-Length") or 0)
    most, done = max(2 * expected, CHUNK_BYTES), 0
    if announced > most:
        raise ValueError(f"the server offers {announced:,} bytes, but about {expected:,} are expected")
    with partial.open("wb") as file:
        while chunk := answer.read(CHUNK_BYTES):
            done += file.write(chunk)
            if done > most:
                raise ValueError(f"the server sends more than {most:,} bytes, but about {expected:,} are expected")
            progress(done, announced or expected)
    if done < announced:
        raise ValueError(f"the download ended after {done:,} of {announced:,} bytes")


def download_refusal(card: Card, cause: str) -> UnusableModel:
    """Return the refusal of a classifier that cannot be downloaded; `cause` is a short clause."""
    command = card.download.command if card.download else ""
    return UnusableModel(
        f"{card.name} is not on this machine and could not be downloaded",
        f"It is about {_megabytes(card):,} MB, license: {card.licence}. {cause}. On a machine with network access run "
        f"`{command}`, copy the file into {downloads()} here and choose {card.name} again. If this machine has network "
        "access, just choose it again.",
    )


def _megabytes(card: Card) -> int:
    return card.download.megabytes if card.download else 0


def _reason(error: Exception) -> str:
    return str(getattr(error, "reason", "") or error)[:120] or type(error).__name__
