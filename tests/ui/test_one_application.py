"""Gradio makes an application of the page when it is served, and none before."""

from __future__ import annotations

from pathlib import Path

import pytest
from gradio import blocks

from explorer.ui.gradio_host.one_application import no_application_yet
from tests.support.forked_app import program

BUILT = """
import gradio as gr
from gradio import blocks
from explorer.ui.gradio_host.one_application import no_application_yet

made = []
blocks.App.create_app = lambda page, **options: made.append(page)
with no_application_yet():
    with gr.Blocks(analytics_enabled=False) as page:
        gr.HTML("here")
    page.queue()
print(len(made))
page.queue()
print(len(made))
"""


@pytest.mark.app
def test_a_page_is_built_and_queued_without_an_application(tmp_path: Path) -> None:
    said = tmp_path / "said"
    said.touch()
    assert program(BUILT, (), said).wait(timeout=60) == 0, said.read_text()
    assert said.read_text().split() == ["0", "1"]


def test_whatever_happens_the_next_page_gets_one() -> None:
    usual = blocks.App
    with pytest.raises(ZeroDivisionError), no_application_yet():
        raise ZeroDivisionError
    assert blocks.App is usual
