"""Gradio makes its web application anew with each step towards the page, four times in all.

The last one, of `launch`, is served; nobody looks at the others, which take a tenth of a second together.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from gradio import blocks


class _NoApplication:
    @staticmethod
    def create_app(page: blocks.Blocks, **options: object) -> None:
        """Nothing, instead of the application of a page."""


@contextmanager
def no_application_yet() -> Iterator[None]:
    """Inside, a page is built and queued without one. To be left before it is launched."""
    usual = blocks.App  # type: ignore[attr-defined]
    blocks.App = _NoApplication  # type: ignore[attr-defined, assignment]
    try:
        yield
    finally:
        blocks.App = usual  # type: ignore[attr-defined]
