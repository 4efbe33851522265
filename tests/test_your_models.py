"""docs/your-models.md: its commands are run as a new user would, on a file in torchxrayvision's published format."""

from __future__ import annotations

import re
import shlex
from contextlib import closing
from pathlib import Path

import pytest
import timm
import torch

from explorer.settings import parse_settings
from explorer.store.slices import Slice
from explorer.store.store import Store
from models import load
from models.cards.classifier_card import classifier_card
from models.cards.registry import registered_names
from tests.explorer.cli.command import run
from tests.explorer.scoring.films import write_films
from tests.support.torchxrayvision_files import PRESETS, write_published

PAGE = (Path(__file__).parents[1] / "docs" / "your-models.md").read_text(encoding="utf-8")
COLUMNS, COMMANDS, MORE = re.findall(r"```(?:toml)?\n(.*?)```", PAGE, re.DOTALL)[:3]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What the user has: weights, films, a table and the file of columns."""
    place = tmp_path_factory.mktemp("new-user")
    write_published("xrv-chex", place)
    torch.manual_seed(0)
    torch.save(timm.create_model("resnet18", num_classes=3).state_dict(), place / "resnet18.pth")
    films = write_films(place / "films", 12)
    said = ["Mass", "Lung Opacity", "Pleural Effusion", "Mass|Edema"]
    rows = [f"{film},p{at},{'north' if at % 2 else 'CheXpert'},{said[at % 4]}\n" for at, film in enumerate(films)]
    (place / "labels.csv").write_text("image,patient,hospital,findings\n" + "".join(rows))
    (place / "columns.toml").write_text(COLUMNS)
    return place


@pytest.fixture(autouse=True)
def home(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TAILSCOPE_HOME", str(folder / "home"))
    monkeypatch.setenv("HOME", str(folder))
    monkeypatch.setattr(load, "_classifiers", {})
    monkeypatch.chdir(folder)


def words_of(block: str) -> list[list[str]]:
    return [shlex.split(line) for line in block.splitlines()]


@pytest.mark.slow
def test_at_most_six_commands_lead_from_a_download_to_explore() -> None:
    lines = words_of(COMMANDS)
    assert len(lines) <= 6
    for python, dash, *words in lines[:-1]:
        assert (python, dash, words.pop(0)) == ("python", "-m", "explorer")
        done = run(*words)
        assert done.exit_code == 0, (words, done.stdout, done.stderr)
    assert lines[-1][:2] == ["python", "app.py"]
    settings = parse_settings(lines[-1][2:])
    assert settings.model == "xrv-chex" and settings.images["mine"].name == "films"
    with closing(Store()) as store:
        found = [each for each in store.tally(Slice("mine", "xrv-chex")) if each.finding == "Pleural Effusion"]
    assert sum(each.positives for each in found) == sum(each.hits + each.misses for each in found) == 3
    assert sum(each.false_alarms + each.correct_rejections for each in found) == 9, "outcomes of every film in Explore"
    said = run("thresholds", "--cohort", "mine", "--model", "xrv-chex").stdout
    assert re.search(r"Pleural Effusion +3 +0\.2721 +", said), said


@pytest.mark.slow
def test_a_file_that_nobody_registered_takes_one_word_more() -> None:
    for _, _, _, *words in words_of(MORE):
        done = run(*words)
        assert done.exit_code == 0, (words, done.stdout, done.stderr)
    assert classifier_card("resnet18").findings == ("Lung Opacity", "COVID-19", "Mass")
    assert "Youden on all films" in done.stdout


def test_the_table_of_presets_is_the_registry() -> None:
    rows = re.findall(r"^\| `(xrv-\S+)` \| `(\S+)` \| (\d+) \| (\d+) px \|$", PAGE, re.MULTILINE)
    assert {name: theirs for name, theirs, *_ in rows} == PRESETS
    assert set(PRESETS) == {name for name in registered_names("classifier") if name.startswith("xrv-")}
    for name, _, findings, size in rows:
        assert (len(classifier_card(name).findings), classifier_card(name).size) == (int(findings), int(size)), name
