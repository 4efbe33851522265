"""Refusals by a class, for its teacher and its learners."""

from __future__ import annotations

from models.refusal import Refusal


class ClassRefusal(Refusal):
    """`title` says what cannot be done, `detail` what to do; `status` is the HTTP status for a learner's device."""

    def __init__(self, title: str, detail: str, status: int = 409) -> None:
        super().__init__(title, detail)
        self.status = status


def too_fast(seconds: float) -> ClassRefusal:
    """Return the refusal for more requests than anyone makes by hand."""
    return ClassRefusal("Too many requests at once", f"Wait {max(1, round(seconds))} s, then try again.", 429)
