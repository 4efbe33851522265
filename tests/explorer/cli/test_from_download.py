"""From somebody's weights to Explore, by the commands that `docs/your-models.md` prints, as they stand there."""

from __future__ import annotations

import re
import shlex
from contextlib import closing
from pathlib import Path

import pytest

from explorer.settings import parse_settings
from explorer.store.slices import Slice
from explorer.store.store import Store
from explorer.ui.shared.links import cohort_id, resolve_slice
from models import load
from tests.explorer.cli.command import run
from tests.explorer.scoring.films import write_films
from tests.support.torchxrayvision_files import write_published

DOCS = (Path(__file__).parents[3] / "docs" / "your-models.md").read_text(encoding="utf-8")
PART = DOCS.partition("## From a download to Explore")[2].partition("\n## ")[0]
MOST = 6  # commands


def block(kind: str) -> str:
    """The first block of code of a kind; empty: of commands."""
    blocks = re.findall(r"^```(\w*)\n(.*?)^```$", PART, re.DOTALL | re.MULTILINE)
    return next(str(text) for named, text in blocks if named == kind)


@pytest.mark.slow
def test_the_printed_commands_lead_to_outcomes_in_explore(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TAILSCOPE_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("HOME", str(tmp_path / "nobody"))
    monkeypatch.setattr(load, "_classifiers", {})
    monkeypatch.chdir(tmp_path)
    commands = [shlex.split(line) for line in block("").splitlines()]
    assert len(commands) <= MOST
    write_published("xrv-chex", tmp_path)
    films = write_films(tmp_path / "films", 6)
    said = ("Pleural Effusion|Edema", "Cardiomegaly", "Normal", "", "Lung Opacity", "Normal")
    rows = [f"{film},p{place},north,{words}" for place, (film, words) in enumerate(zip(films, said, strict=True))]
    Path("labels.csv").write_text("\n".join(["image,patient,hospital,findings", *rows]) + "\n")
    Path("columns.toml").write_text(block("toml"))
    for words in commands[:-1]:
        assert words[:3] == ["python", "-m", "explorer"]
        done = run(*words[3:])
        assert done.exit_code == 0, done.stderr
    assert commands[-1][:2] == ["python", "app.py"]
    settings = parse_settings(commands[-1][2:])
    assert settings.model == "xrv-chex" and settings.images["mine"].name == "films"
    with closing(Store()) as store:
        assert "cohort `mine`" in PART
        assert "mine" in [each.name for each in store.cohorts()]
        opens = resolve_slice(store, {"cohort": cohort_id("mine")})
        assert opens.model == "xrv-chex"
        tally = store.tally(Slice("mine", "xrv-chex", finding="Edema"))
        assert sum(each.positives for each in tally) == 1 and sum(each.negatives for each in tally) == 4
        assert all(each.hits + each.misses == each.positives for each in tally), "outcomes by its operating points"
