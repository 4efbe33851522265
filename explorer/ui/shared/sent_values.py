"""Checks on what a program sent to an endpoint, because Gradio accepts any type."""

from __future__ import annotations

from explorer.ui.shared.request_values import is_plain
from models.refusal import Refusal


class WrongValue(Refusal):
    """A value of the wrong type or size: `title` says which, `detail` what to send."""


def sent_text(sent: object, what: str) -> str:
    """A string. Raises WrongValue."""
    if not isinstance(sent, str) or not is_plain(sent):
        raise WrongValue(f"{what} must be text", "Send it as a string.")
    return sent


def sent_texts(sent: object, what: str) -> tuple[str, ...]:
    """The strings in a list; none for null. Raises WrongValue."""
    if sent is None:
        return ()
    if not isinstance(sent, list) or not is_plain(sent) or not all(isinstance(each, str) for each in sent):
        raise WrongValue(f"{what} must be a list of texts", "Send it as a list of strings.")
    return tuple(sent)


def sent_whole_number(sent: object, what: str, least: int, most: int) -> int:
    """A whole number from least to most. Raises WrongValue."""
    if not isinstance(sent, int) or isinstance(sent, bool) or not least <= sent <= most:
        raise WrongValue(f"{what} must be a whole number", f"Send one from {least} to {most:,}.")
    return sent
