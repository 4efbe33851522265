"""Skips the web applications that Gradio builds and discards before the page is launched.

Gradio builds four; only that of `launch` is served. The others take a tenth of a second together.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from gradio import blocks


class _NoApplication:
    @staticmethod
    def create_app(page: blocks.Blocks, **options: object) -> None:
        """Do nothing where Gradio would build a web application."""


@contextmanager
def no_application_yet() -> Iterator[None]:
    """Build and queue a page without a web application. Leave the block before `launch`."""
    usual = blocks.App  # type: ignore[attr-defined]
    blocks.App = _NoApplication  # type: ignore[attr-defined, assignment]
    try:
        yield
    finally:
        blocks.App = usual  # type: ignore[attr-defined]
