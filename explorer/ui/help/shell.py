"""The help page: a dialog opened by the masthead's ? button."""

from __future__ import annotations

import gradio as gr

from explorer.ui.scripts import mount_script
from explorer.ui.shared.fragments import fill_fragment

STYLES = ("help/help.css",)


def help_page() -> None:
    """Build the dialog inside the current Blocks context."""
    gr.HTML(
        html_template=fill_fragment("help/help.html"),
        js_on_load=mount_script("help/help.js"),
        apply_default_css=False,
        elem_id="help",
    )
