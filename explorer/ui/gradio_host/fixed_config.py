"""The configuration of the page's components, worked out once: gradio asks for it again for every visitor."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import gradio as gr
from gradio.blocks import Block


def settle(blocks: Iterable[Block]) -> None:
    """The page is built: what its components are stays as it is now.

    gradio makes each configuration anew when a visitor comes, on the thread that answers everybody, and searches the
    component's script for the name of every argument: 30 ms a visitor, and a class comes all at once. A subclass would
    say so more plainly, but gradio writes a .pyi file beside the source of every subclass.
    """
    for block in blocks:
        if isinstance(block, gr.HTML):
            _keep_config(block)


def _keep_config(component: gr.HTML) -> None:
    config = component.get_config()

    def kept() -> dict[str, Any]:
        return dict(config)  # gradio takes out of it what is None

    component.get_config = kept  # type: ignore[method-assign]  # of this component alone
