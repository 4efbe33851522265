"""The help page: a dialog over the page, opened by the ? of the masthead."""

from __future__ import annotations

import gradio as gr

from explorer.ui.scripts import mount
from explorer.ui.shared.fragments import filled

STYLES = ("help/help.css",)


def help_page() -> None:
    """Build the dialog inside the current Blocks context."""
    gr.HTML(
        html_template=filled("help/help.html"),
        js_on_load=mount("help/help.js"),
        apply_default_css=False,
        elem_id="help",
    )
