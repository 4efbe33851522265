"""The app with phantom models of random weights and a small simulated cohort, and what a visitor does in Simulate."""

from __future__ import annotations

import hashlib
import re
import shutil
from pathlib import Path

import timm
import torch
from playwright.sync_api import Page, expect
from safetensors.torch import save_file

from explorer.core.findings import FINDINGS
from explorer.simulator import ABNORMAL
from tests.support.model_builders import write_card
from tests.support.small_phantom import write_phantom
from tests.support.vlm_builders import write_clip
from tests.ui.app_server import Server, start

SLOW = 60_000.0  # ms: a loaded machine
TAUGHT = tuple(name for name in ABNORMAL if FINDINGS[name].task == "seen")
CLASSIFIER, TEXT_MODEL = "phantom", "phantom-vlm"


def write_classifier(folder: Path) -> Path:
    """The card of a classifier for simulated films that knows nothing, with a threshold for every finding."""
    torch.manual_seed(1)
    network = timm.create_model("tf_efficientnet_lite0", in_chans=1, num_classes=len(TAUGHT))
    weights = folder / "phantom.safetensors"
    save_file({name: tensor.contiguous() for name, tensor in network.state_dict().items()}, weights)
    point = {"threshold": 0.5, "rule": "made up", "sensitivity": 0.7, "specificity": 0.6, "positives": 20}
    values: dict[str, object] = {
        "kind": "classifier",
        "name": CLASSIFIER,
        "title": "Random weights",
        "architecture": "tf_efficientnet_lite0",
        "in_chans": 1,
        "size": 96,
        "resize": "letterbox",
        "mean": [0.5],
        "std": [0.25],
        "weights": weights.name,
        "sha256": sha256_of(weights),
        "findings": list(TAUGHT),
        "views": ["PA", "AP", "unknown"],
        "films": "simulated",
        "licence": "Apache-2.0",
        "citation": "none",
        "training": [],
        "operating_points": dict.fromkeys(TAUGHT, point | {"negatives": 80}),
    }
    return write_card(folder / "phantom.toml", values)


def write_text_model(folder: Path) -> Path:
    """The card of an image-text model for simulated films that knows nothing."""
    weights = write_clip(folder / "clip") / "open_clip_model.safetensors"
    values: dict[str, object] = {
        "kind": "vlm",
        "name": TEXT_MODEL,
        "title": "Random weights, too",
        "architecture": "a tiny CLIP",
        "source": f"local-dir:{weights.parent}",
        "weights": str(weights),
        "sha256": sha256_of(weights),
        "size": 64,
        "resize": "letterbox",
        "films": "simulated",
        "training": [],
        "licence": "Apache-2.0",
        "citation": "none",
    }
    return write_card(folder / "phantom-vlm.toml", values)


def start_simulating(folder: Path) -> Server:
    """The app with both models, and the cohort as the visitor's own."""
    classifier, text_model = write_classifier(folder), write_text_model(folder)
    write_home(folder / "home", classifier)
    return start(folder, "--model", str(classifier), "--vlm", str(text_model), home=folder / "home")


def write_home(place: Path, classifier: Path) -> None:
    """A small simulated cohort with scores by the classifier's name and weights, without features to compare."""
    folder = write_phantom(place / "cohorts", "phantom-small", sha256=sha256_of(classifier.with_suffix(".safetensors")))
    shutil.rmtree(folder.embeddings(CLASSIFIER))


def sha256_of(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def wait_until_simulated(page: Page) -> None:
    page.locator(".simulating[data-state=shown]").wait_for(timeout=SLOW)


def wait_until_said(page: Page) -> None:
    """Until both models have said something of the film on show."""
    wait_until_simulated(page)
    page.locator(".sim-model").nth(1).wait_for(timeout=SLOW)


def add(page: Page, finding: str) -> None:
    page.get_by_label("Add a finding").select_option(finding)
    wait_until_simulated(page)


def line(page: Page, name: str) -> str:
    """What stands behind a name among the figures of the chosen finding."""
    return page.locator(f".sim-lines dt:text-is('{name}') + dd").first.inner_text()


def tap(page: Page, key: str) -> None:
    """A key pressed and let go at once; between the two messages of Playwright's `press` a loaded machine holds it."""
    page.evaluate(
        """key => ["keydown", "keyup"].forEach((kind) =>
            document.activeElement.dispatchEvent(new KeyboardEvent(kind, { key, bubbles: true, cancelable: true })))""",
        key,
    )


def choose_center(page: Page, center: str) -> None:
    page.locator(f".sim-centers input[value={center}]").check(force=True)  # it is under its letter


def choose(page: Page, words: str) -> None:
    """One of the choices of an answer, which lies under its words."""
    page.locator(".answer-choice label").filter(has_text=re.compile(f"^{words}$")).locator("input").check(force=True)


def close_lesson(page: Page) -> None:
    """Whatever lesson is told, if one is."""
    if page.locator(".lesson-close").is_visible():
        page.locator(".lesson-close").click()
    expect(page.locator(".lesson")).to_be_hidden()
