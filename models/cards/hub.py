"""Files of a repository of the Hugging Face hub, from the local cache or the hub."""

from __future__ import annotations

from pathlib import Path

from models.cards.card import UnusableModel


def hub_file(repository: str, name: str, what: str) -> Path:
    """A file of `owner/repository`; `what` begins the sentence of the refusal. Raises UnusableModel."""
    from huggingface_hub import hf_hub_download  # slow to import, and few models need it
    from huggingface_hub.errors import EntryNotFoundError, HfHubHTTPError, LocalEntryNotFoundError

    try:
        return Path(hf_hub_download(repository, name))
    except (LocalEntryNotFoundError, EntryNotFoundError, HfHubHTTPError, OSError, ValueError) as error:
        raise UnusableModel(
            f"{what} could not be downloaded",
            f"{name} of hf-hub:{repository} is not in the local cache and cannot be reached ({type(error).__name__}). "
            f"On a machine with a network run `hf download {repository} --local-dir {repository.partition('/')[2]}`, "
            "copy the folder here and name its files: docs/your-models.md says how.",
        ) from error


def in_hub_cache(repository: str, name: str) -> Path | None:
    """A file of a repository that is in the local cache; None where it is not. Asks no network."""
    from huggingface_hub import try_to_load_from_cache
    from huggingface_hub.errors import HFValidationError

    try:
        found = try_to_load_from_cache(repository, name)
    except HFValidationError:
        return None
    return Path(found) if isinstance(found, str) else None
