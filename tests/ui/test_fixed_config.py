"""What gradio is told of the page's components, for every visitor again."""

from __future__ import annotations

import copy

import gradio as gr
import pytest

from explorer.ui.gradio_host.fixed_config import freeze_config


def answer(sent: object) -> object:
    return sent


def test_a_component_says_the_same_and_works_it_out_once(monkeypatch: pytest.MonkeyPatch) -> None:
    viewer = gr.HTML("film", js_on_load="trigger('uploaded')", server_functions=[answer], elem_id="viewer")
    before = copy.deepcopy(viewer.get_config())
    asked: list[int] = []
    original = gr.HTML.get_config
    monkeypatch.setattr(gr.HTML, "get_config", lambda self: asked.append(1) or original(self))
    freeze_config([viewer])
    first, again = viewer.get_config(), viewer.get_config()
    first.clear()
    assert viewer.get_config() == again == before
    assert asked == [1]
