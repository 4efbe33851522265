"""The Evaluate tab: one component, whose script keeps its state in the address and requests everything else."""

from __future__ import annotations

import gradio as gr
from gradio.events import api

from explorer.ui.evaluate.calls import calls
from explorer.ui.evaluate.film_list_call import calls as film_list_calls
from explorer.ui.evaluate.keep_call import calls as keep_calls
from explorer.ui.evaluate.leaderboard_endpoint import board_endpoint
from explorer.ui.evaluate.panels.all_panels import PANELS
from explorer.ui.evaluate.study_calls import calls as study_calls
from explorer.ui.scripts import mount_script
from explorer.ui.shared.concurrency import MAX_CONCURRENT_CALLS
from explorer.ui.shared.fragments import fill_fragment
from explorer.ui.shared.request_values import plain_json_call
from explorer.ui.shared.services import Services

SHEETS = (
    *("evaluate", "side", "board", "beneath", "chart", "panels"),
    *("recipes", "together", "finding", "subgroups", "labels", "pair", "published"),
)
STYLES = tuple(f"evaluate/{name}.css" for name in SHEETS)


def evaluate_tab(services: Services) -> None:
    """Build the tab inside the current Blocks context. Nothing is computed until a visitor opens it."""
    offered = (*calls(services), *keep_calls(services), *study_calls(services), *film_list_calls(services))
    gr.HTML(
        html_template=shell(),
        js_on_load=script(),
        server_functions=[plain_json_call(call) for call in offered],
        apply_default_css=False,
        elem_id="evaluate",
    )
    api(board_endpoint(services), api_name="evaluate", concurrency_limit=MAX_CONCURRENT_CALLS, concurrency_id="numbers")


def shell() -> str:
    """Return the HTML skeleton; the script fills it with text nodes only, so visitors' names are never markup."""
    panels = {"": "Leaderboard"} | {word: panel.title for word, panel in PANELS.items() if panel.listed}
    buttons = [f'<button type="button" data-panel="{word}">{title}</button>' for word, title in panels.items()]
    return fill_fragment("evaluate/evaluate.html", panels="\n        ".join(buttons))


def script() -> str:
    """Return the component's script."""
    return mount_script("evaluate/evaluate.js")
