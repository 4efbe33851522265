"""Resolves a teacher's words to a finding by name, synonym, or a cohort's own name."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from explorer.core.finding_names import InvalidName, did_you_mean, own_name
from explorer.core.finding_words import plain
from explorer.school.playlists.playlist import WrongPlaylist
from models.prompts.terms import terms


def resolve_typed_finding(words: str, own: Iterable[str] = ()) -> str:
    """Return the finding that the words name; unknown words become a finding of their own. Raises WrongPlaylist."""
    known = _synonyms().get(plain(words))
    if known is not None:
        return known
    try:
        return own_name(words, own)
    except InvalidName as error:
        raise WrongPlaylist(
            "No finding is named", f"Type one, for example Pneumothorax.{did_you_mean(words)}"
        ) from error


@cache
def _synonyms() -> dict[str, str]:
    return {plain(word): finding for finding, each in terms().items() for word in each.taught}
