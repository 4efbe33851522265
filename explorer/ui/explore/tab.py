"""The Explore tab: one component, whose script keeps the state in the address and asks for everything else."""

from __future__ import annotations

import gradio as gr

from explorer.ui.desk import Desk
from explorer.ui.explore import case, case_shell, gallery, tables
from explorer.ui.explore.case_onward import opener
from explorer.ui.explore.services import Services
from explorer.ui.read_shell import STATIC, VIEWER, filled
from explorer.ui.sent import plain
from explorer.ui.taking_in import take

FRAME = ("address", "menu", "score_range", "filters", "thumbnails", "gallery", "ask_films", "panel_tabs", "tools")
PANELS = ("cells", "scatter", "compare", "eaten", "doubts")
STYLES = (
    *(f"explore/{name}.css" for name in ("explore", "bar", "ask_films", "filters", "gallery", "panel_base", *PANELS)),
    *case_shell.STYLES,
)
SCRIPTS = (
    *VIEWER,
    *(f"{name}.js" for name in ("words", "save", "calls", "hung", "onward")),
    *case_shell.SCRIPTS,
    *(f"explore/{name}.js" for name in (*FRAME, "panel_base", "cell_words", *PANELS, "explore")),
)


def explore_tab(services: Services, desk: Desk) -> None:
    """Build the tab inside the current Blocks context. Nothing is asked before a visitor opens it."""
    offered = [call for part in (gallery, case, tables) for call in part.calls(services)]
    viewer = gr.HTML(
        html_template=shell(),
        js_on_load=script(),
        server_functions=[plain(call) for call in offered],
        apply_default_css=False,
        elem_id="explore",
    )
    take(viewer, viewer.onward, opener(services, desk))  # a case's film, that goes on to Read


def shell() -> str:
    """The skeleton; the script fills it with text nodes only, so no name of a visitor's data is taken for markup."""
    return filled("explore/explore.html", case=case_shell.case_shell())


def script() -> str:
    """The component's script: its files one after the other, in one function."""
    return "\n".join((STATIC / name).read_text(encoding="utf-8") for name in SCRIPTS)
