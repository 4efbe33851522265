"""Add a model on the page: its file is looked at, what is missing is asked for, and then films are read by it."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
import timm
import torch
from playwright.sync_api import Locator, Page, expect

from tests.support.wording import Wording
from tests.ui import plain_http
from tests.ui.app_server import Server, component_of
from tests.ui.axe import HEIGHT, assert_accessible_at
from tests.ui.conftest import NewVisitor
from tests.ui.reading_room import SLOW, open_models, open_sample
from tests.ui.test_foreign_pages import EVIL
from tests.ui.text_shown import text_with

pytestmark = pytest.mark.browser
WIDTHS = (1440, 390)


@pytest.fixture(scope="module")
def server(models_server: Server) -> Server:
    """To whom a visitor comes here."""
    return models_server


@pytest.fixture(scope="module")
def weights(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("weights") / "r.ckpt"
    torch.manual_seed(0)
    network = timm.create_model("resnet10t", num_classes=4, in_chans=1)
    torch.save({"state_dict": {f"module.{name}": each for name, each in network.state_dict().items()}}, file)
    return file


def press(button: Locator) -> None:
    """Press what a pointer reaches in windows of both widths: first in that of now, then in the other one."""
    now = button.page.viewport_size
    for width in sorted(WIDTHS, key=lambda width: now is None or now["width"] != width):
        button.page.set_viewport_size({"width": width, "height": HEIGHT})
        button.click(trial=True)
    button.click()


def look(page: Page, typed: str) -> None:
    page.get_by_label("File or address").fill(typed)
    press(page.get_by_role("button", name="Look at it"))


def wrong(page: Page) -> str:
    said = page.locator(".add-model-wrong:visible")
    expect(said).not_to_be_empty(timeout=SLOW)
    return said.text_content() or ""


def test_a_file_becomes_a_model_that_reads(
    new_visitor: NewVisitor, server: Server, weights: Path, wording: Wording
) -> None:
    name = "mine"
    page = new_visitor(server.url)
    open_sample(page)
    open_models(page)
    press(page.get_by_role("button", name="Add a model"))
    look(page, "/nowhere/r.ckpt")
    wording(wrong(page))
    assert_accessible_at(page, *WIDTHS, within="#read .add-model")
    look(page, str(weights))
    found = text_with(page.locator(".add-model-file:visible"), "r.ckpt", SLOW)
    assert "resnet10t" in found and "4 outputs" in found
    wording(found)
    expect(page.locator(".add-model-guessed:visible li")).to_have_count(4)
    for width in WIDTHS:
        assert_accessible_at(page, width, within="#read .add-model")
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    outputs = page.locator(".add-model-outputs input")
    expect(outputs).to_have_count(4)
    outputs.first.evaluate(
        """(field) => {
          const clipboardData = new DataTransfer();
          clipboardData.setData("text", "Effusion\\nCardiomegally\\n\\nILD\\n");
          field.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
        }"""
    )
    assert outputs.evaluate_all("each => each.map((one) => one.value)") == ["Effusion", "Cardiomegally", "", "ILD"]
    fields = {"Input, px": "64", "Mean": "0.5, 0.5", "Name": name}
    for label, value in fields.items():
        page.locator(".add-model-ask").get_by_label(label, exact=True).fill(value)
    keep = page.get_by_role("button", name="Try it and keep it")
    press(keep)
    wording(text_with(page.locator(".add-model-slips"), "Cardiomegally", SLOW))
    press(page.locator(".add-model-slips").get_by_role("button", name="Cardiomegaly", exact=True))
    press(keep)
    said = wrong(page)
    assert "2 numbers" in said and "1 channel" in said
    wording(said)
    page.locator(".add-model-ask").get_by_label("Mean", exact=True).fill("0.5")
    press(keep)
    wording(wrong(page))
    by = page.locator(".add-model-ask select[name=function]")
    wording(by.locator("option").first.inner_text())
    by.select_option("sigmoid")
    press(keep)
    done = page.locator(".add-model-done")
    expect(done).to_contain_text("'Effusion' as Pleural Effusion", timeout=SLOW)
    expect(done).to_contain_text("1 output")
    assert_accessible_at(page, *WIDTHS, within="#read .add-model")
    press(page.get_by_role("button", name=f"Read by {name}"))
    expect(page.locator("#read .made-name")).to_have_text(name, timeout=SLOW)
    names = page.locator("#read .finding").evaluate_all("each => each.map((one) => one.dataset.finding)")
    assert sorted(names) == ["Cardiomegaly", "ILD", "Pleural Effusion"]
    expect(page.locator(".model-select").first).to_have_value(name)
    expect(page.locator(".model-select option", has_text=f"{name} (yours)")).to_have_count(2)
    card = tomllib.loads((server.own_models / f"{name}.toml").read_text(encoding="utf-8"))
    assert (card["size"], card["mean"], card["std"], len(card["findings"])) == (64, [0.5], [0.226], 4)
    said = [sentence.split()[0] for sentence in card["guessed"]]
    assert said == ["Architecture", "std"]  # what nobody changed is a guess


def test_no_other_page_and_no_learner_adds_a_model(server: Server, weights: Path) -> None:
    config = plain_http.get(f"{server.url}/config").json()
    call = {
        "component_id": component_of(config, "read"),
        "fn_name": "look_at_model",
        "session_hash": "s",
        "data": {"address": str(weights), "architecture": ""},
    }
    for headers in (evil.values[0] for evil in EVIL):
        answer = plain_http.post(f"{server.url}/gradio_api/component_server", json=call, headers=headers)  # type: ignore[arg-type]
        assert answer.status_code == 403
    answer = plain_http.post(f"{server.url}/gradio_api/component_server", json=call, timeout=60)
    assert answer.json()["architecture"] == "resnet10t"  # a program of this machine may
    assert str(weights.parent) not in answer.text
