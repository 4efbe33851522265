"""The configuration of the page's components, computed once; Gradio recomputes it for every visitor."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import gradio as gr
from gradio.blocks import Block


def freeze_config(blocks: Iterable[Block]) -> None:
    """Freeze the configuration of a finished page's components.

    Gradio rebuilds each configuration for each visitor, on the event loop, and searches the component's script for
    every argument's name: 30 ms a visitor, and a class arrives all at once. A subclass would be plainer, but Gradio
    writes a .pyi file beside the source of every subclass.
    """
    for block in blocks:
        if isinstance(block, gr.HTML):
            _keep_config(block)


def _keep_config(component: gr.HTML) -> None:
    config = component.get_config()

    def kept() -> dict[str, Any]:
        return dict(config)  # a copy: Gradio deletes None entries from it

    component.get_config = kept  # type: ignore[method-assign]  # for this component alone
