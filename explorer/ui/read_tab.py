"""The Read tab: events take films in; the script of its component asks for everything else by token."""

from __future__ import annotations

from collections.abc import Callable

import gradio as gr
from gradio.events import api

from explorer.ui.desk import Desk
from explorer.ui.read_shell import script, shell
from explorer.ui.sent import plain
from explorer.ui.taking_in import OPENED, take_in


def read_tab(desk: Desk) -> None:
    """Build the tab inside the current Blocks context.

    Gradio keeps the last value of every component in its session state for up to an hour, so films and maps never pass
    through one: the component carries a token, and its script fetches the rest with the desk's calls.
    """
    viewer = gr.HTML(
        html_template=shell(),
        js_on_load=script(),
        server_functions=_calls(desk),
        apply_default_css=False,
        elem_id="read",
    )
    take_in(viewer, desk)
    api(desk.read, api_name="read", concurrency_limit=OPENED, concurrency_id="read")


def _calls(desk: Desk) -> list[Callable[[object], object]]:
    """What the script may ask of the server, each with one argument."""
    of_film = (desk.film, desk.opinion, desk.anyway, desk.amend, desk.join, desk.export, desk.text)
    return [plain(call) for call in (*of_film, desk.progress, desk.put_away, desk.gone, desk.still_here)]
