"""Files of Hugging Face hub repositories, from the local cache or the hub."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path

from models.cards.card import UnusableModel

OPEN_CLIP, TIMM = "open_clip_config.json", "config.json"

_cache_alone: ContextVar[bool] = ContextVar("cache_alone", default=False)


@contextmanager
def cache_only() -> Iterator[None]:
    """Inside this context, nothing is downloaded from the hub, whatever the app's settings."""
    before = _cache_alone.set(True)
    try:
        yield
    finally:
        _cache_alone.reset(before)


def hub_file(repository: str, name: str, what: str) -> Path:
    """Return a file of `owner/repository`; `what` is the subject of the refusal. Raises UnusableModel."""
    from huggingface_hub import hf_hub_download  # slow to import, and few models need it
    from huggingface_hub.errors import EntryNotFoundError, HfHubHTTPError, LocalEntryNotFoundError

    try:
        return Path(hf_hub_download(repository, name, local_files_only=_cache_alone.get()))
    except (LocalEntryNotFoundError, EntryNotFoundError, HfHubHTTPError, OSError, ValueError) as error:
        raise UnusableModel(
            f"{what} could not be downloaded",
            f"{name} of hf-hub:{repository} is not in the local cache and cannot be reached ({type(error).__name__}). "
            f"On a machine with network access run `hf download {repository} --local-dir "
            f"{repository.partition('/')[2]}`, copy the folder here and use local-dir:{repository.partition('/')[2]}.",
        ) from error


def is_image_text(address: str) -> bool:
    """Return whether an address names an open_clip image-text model; timm models have timm's config.json instead.

    Asks the hub if neither file is cached; if that does not decide it, the address counts as an image-text model.
    """
    kind, _, place = address.partition(":")
    if kind not in ("hf-hub", "local-dir") or "?" in address:
        return False
    if kind == "local-dir":
        return (Path(place).expanduser() / OPEN_CLIP).is_file() or not (Path(place).expanduser() / TIMM).is_file()
    if _cached(place, OPEN_CLIP) or (place.count("/") != 1):
        return True
    try:
        return "architecture" not in json.loads(hub_file(place, TIMM, address).read_text(encoding="utf-8"))
    except (UnusableModel, OSError, ValueError):
        return True


def _cached(repository: str, name: str) -> bool:
    from huggingface_hub import try_to_load_from_cache
    from huggingface_hub.errors import HFValidationError

    try:
        return isinstance(try_to_load_from_cache(repository, name), str)
    except HFValidationError:
        return False
