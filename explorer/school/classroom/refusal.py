"""What a class refuses, as its teacher and its learners read it."""

from __future__ import annotations

from models.refusal import Refusal


class ClassRefusal(Refusal):
    """`title` says what cannot be done, `detail` what to do; `status` is that of HTTP for a learner's device."""

    def __init__(self, title: str, detail: str, status: int = 409) -> None:
        super().__init__(title, detail)
        self.status = status


def too_fast(seconds: float) -> ClassRefusal:
    """More requests than anybody makes by hand."""
    return ClassRefusal("Too many requests at once", f"Wait {max(1, round(seconds))} s, then try again.", 429)
