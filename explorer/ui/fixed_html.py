"""A component whose configuration is worked out once: gradio asks for it again for every visitor."""

from __future__ import annotations

from typing import Any

import gradio as gr


class FixedHTML(gr.HTML):
    """`gr.HTML` whose configuration stays as it is once the page is built.

    gradio makes each component's anew when a visitor comes, on the thread that answers everybody, and searches the
    component's script for the name of every argument: 30 ms a visitor, of which a class that comes at once is many.
    """

    _settled: dict[str, Any] | None = None

    def settle(self) -> None:
        """The page is built: nothing of it changes from now on."""
        self._settled = super().get_config()

    def get_config(self) -> dict[str, Any]:  # type: ignore[override]
        """As gradio's; a copy, since gradio takes out of it what is None."""
        return super().get_config() if self._settled is None else dict(self._settled)
